// Leak starts goroutines that wait for an answer that nobody sends.
package main

import (
	"os"

	"programs/take"
)

func main() { take.Goroutines(os.Args[1], work) }

func work() {
	for range 2000 {
		go wait(make(chan int))
	}
}

func wait(answer chan int) int { return <-answer }
