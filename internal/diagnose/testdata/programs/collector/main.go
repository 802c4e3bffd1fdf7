// Collector keeps a large tree of pointers alive and replaces parts of it: the
// collector marks all of it again and again, with the help of who allocates.
package main

import (
	"os"

	"programs/take"
)

type node struct {
	left, right *node
	pad         [4]*node
}

var forest [64]*node

func main() {
	for i := range forest {
		forest[i] = tree(13)
	}
	take.CPU(os.Args[1], work)
}

var turn int

func work() {
	turn++
	forest[turn%len(forest)] = tree(13)
}

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	n := &node{left: tree(depth - 1), right: tree(depth - 1)}
	for i := range n.pad {
		n.pad[i] = n.left
	}
	return n
}
