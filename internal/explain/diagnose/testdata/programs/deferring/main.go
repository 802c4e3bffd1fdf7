// Deferring defers a small call in each iteration of a loop.
package main

import (
	"os"

	"programs/take"
)

var open int

func main() { take.CPU(os.Args[1], work) }

func work() {
	for i := range 1 << 10 {
		_ = i
		open++
		defer closed()
	}
}

//go:noinline
func closed() { open-- }
