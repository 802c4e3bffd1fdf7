package c03

// V1 method, named map type, range over an int
type Graph struct {
	edges map[uint32][]uint32
}

type nodeSet map[uint32]struct{}

func (g *Graph) Reach(roots []uint32) []int {
	sizes := make([]int, len(roots))
	for i := range len(roots) {
		visited := nodeSet{}
		stack := []uint32{roots[i]}
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if _, ok := visited[n]; ok {
				continue
			}
			visited[n] = struct{}{}
			stack = append(stack, g.edges[n]...)
		}
		sizes[i] = len(visited)
	}
	return sizes
}
