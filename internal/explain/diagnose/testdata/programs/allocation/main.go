// Allocation makes small objects that die at once, in a heap so large that the
// collector seldom runs: the allocator's own work.
package main

import (
	"os"

	"programs/take"
)

type point struct{ x, y, z, w int64 }

var (
	sink    *point
	ballast []byte
)

func main() {
	ballast = make([]byte, 256<<20)
	take.CPU(os.Args[1], work)
}

func work() {
	for i := range int64(1 << 16) {
		sink = newPoint(i)
	}
}

//go:noinline
func newPoint(i int64) *point { return &point{x: i} }
