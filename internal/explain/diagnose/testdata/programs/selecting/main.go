// Selecting takes each of many items from one of several channels by a select.
package main

import (
	"os"

	"programs/take"
)

var one, two, stop = make(chan int, 128), make(chan int, 128), make(chan bool)

func main() { take.CPU(os.Args[1], work) }

func work() {
	for range 1 << 12 {
		offer(1)
		pick()
	}
}

func offer(v int) {
	select {
	case one <- v:
	case two <- v:
	case <-stop:
	}
}

func pick() (v int) {
	select {
	case v = <-one:
	case v = <-two:
	case <-stop:
	}
	return v
}
