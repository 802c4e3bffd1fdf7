// Channel sends one number at a time back and forth between two goroutines.
package main

import (
	"os"

	"programs/take"
)

var there, back = make(chan int), make(chan int)

func main() {
	go answer()
	take.CPU(os.Args[1], work)
}

func answer() {
	for v := range there {
		back <- v + 1
	}
}

func work() {
	v := 0
	for range 1 << 12 {
		there <- v
		v = <-back
	}
}
