// Package evidence works through batches.
package evidence

import (
	"runtime/debug"
)

// Batch adds up a batch, and gives its memory back.
func Batch(load func() []int) int {
	sum := 0
	for _, n := range load() {
		sum += n
	}
	debug.FreeOSMemory()
	return sum
}
