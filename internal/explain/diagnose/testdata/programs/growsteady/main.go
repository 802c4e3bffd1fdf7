// Growsteady has as many objects and goroutines at any time. Half of them are
// replaced in each step.
package main

import (
	"os"

	"programs/take"
)

var (
	kept    [40000]*[1000]byte
	workers = make(chan bool)
)

func main() {
	for range 200 {
		go serve()
	}
	take.Series(os.Args[1:], work)
}

func serve() {
	for range workers {
	}
}

func work(step int) {
	for i := range kept {
		if step == 0 || (i+step)%2 == 0 {
			kept[i] = fresh()
		}
	}
	for range 1000 {
		workers <- true
	}
}

func fresh() *[1000]byte { return new([1000]byte) }
