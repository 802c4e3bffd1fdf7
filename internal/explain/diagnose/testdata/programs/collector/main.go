// Collector keeps a large list of pointers alive and makes large buffers that
// die at once: the collector looks through the list again and again, with the
// help of who allocates. It starts four times as often as by default, so that it
// costs most on a loaded machine as well.
package main

import (
	"os"
	"runtime/debug"

	"programs/take"
)

type node struct {
	next *node
	pad  [6]*node
}

var (
	nodes []*node
	sink  []byte
)

func main() {
	debug.SetGCPercent(25)
	for i := range 1 << 18 {
		n := &node{}
		for j := range n.pad {
			if i > 0 {
				n.pad[j] = nodes[(i*31+j*7919)%i]
			}
		}
		nodes = append(nodes, n)
	}
	take.CPU(os.Args[1], work)
}

func work() { sink = make([]byte, 32<<10) }
