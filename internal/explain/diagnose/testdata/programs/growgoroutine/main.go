// Growgoroutine starts goroutines that nobody wakes, each with a buffer.
package main

import (
	"os"
	"runtime"

	"programs/take"
)

func main() { take.Series(os.Args[1:], work) }

func work(int) {
	for range 400 {
		go wait(make(chan int))
	}
}

func wait(answer chan int) int {
	buf := buffer()
	n := <-answer
	runtime.KeepAlive(buf)
	return n
}

//go:noinline
func buffer() []byte { return make([]byte, 64<<10) }
