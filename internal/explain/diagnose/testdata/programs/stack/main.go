// Stack recurses deeply in goroutines that are new each time, whose stacks grow
// anew each time.
package main

import (
	"os"
	"sync"

	"programs/take"
)

func main() { take.CPU(os.Args[1], work) }

func work() {
	var wg sync.WaitGroup
	wg.Go(func() { descend(2000) })
	wg.Wait()
}

//go:noinline
func descend(n int) int {
	var frame [256]byte
	frame[n&255] = byte(n)
	if n == 0 {
		return int(frame[0])
	}
	return descend(n-1) + int(frame[n&255])
}
