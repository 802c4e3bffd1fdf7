package c29

// V1 field, method, by index
type node struct {
	id     int
	weight float64
}

type graph struct{ nodes []*node }

func (g *graph) Grow(n int) {
	g.nodes = make([]*node, n)
	for i := range g.nodes {
		g.nodes[i] = new(node)
		g.nodes[i].id = i
	}
}

func (g *graph) Weight() (w float64) {
	for _, n := range g.nodes {
		w += n.weight * float64(n.id)
	}
	return w
}

// V2 two functions
type cell struct{ x, y, value int }

func newCell(x, y int) *cell { return &cell{x: x, y: y, value: x ^ y} }

func Checksum(width, height int) (sum int) {
	var cells []*cell
	for y := 0; y < height; y++ {
		for x := 0; x < width; x++ {
			cells = append(cells, newCell(x, y))
		}
	}
	for _, c := range cells {
		sum += c.value * (c.x + c.y)
	}
	return sum
}
