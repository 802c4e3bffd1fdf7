//go:build go1.21

// Package old is of a Go version whose timers need draining.
package old

import "time"

func serve(in <-chan int) {
	for {
		select {
		case <-in:
		case <-time.After(time.Second):
			return
		}
	}
}
