package c48

import "sync"

// V1 closure
type node struct {
	left, right *node
	weight      int
}

func Weights(roots []*node) []int {
	out := make([]int, len(roots))
	var walk func(*node) int
	walk = func(n *node) int {
		if n == nil {
			return 0
		}
		return n.weight + walk(n.left) + walk(n.right)
	}
	var wg sync.WaitGroup
	for i, r := range roots {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = walk(r)
		}()
	}
	wg.Wait()
	return out
}
