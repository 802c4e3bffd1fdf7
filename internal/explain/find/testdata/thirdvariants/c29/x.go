package c29

// V4 generic
type node[V any] struct {
	val  V
	next int
}

func build[V any](vals []V) []*node[V] {
	nodes := make([]*node[V], 0, len(vals))
	for i, v := range vals {
		nodes = append(nodes, &node[V]{val: v, next: i + 1})
	}
	return nodes
}

func sum(vals []int) (n int) {
	for _, x := range build(vals) {
		n += x.val
	}
	return n
}
