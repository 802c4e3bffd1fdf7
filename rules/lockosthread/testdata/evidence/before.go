// Package evidence squares numbers in a worker.
package evidence

import "runtime"

// Squares returns the sum of the squares.
func Squares(numbers []int) (sum int) {
	in, out := make(chan int), make(chan int)
	go worker(in, out)
	for _, n := range numbers {
		in <- n
		sum += <-out
	}
	close(in)
	return sum
}

func worker(in <-chan int, out chan<- int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for n := range in {
		out <- n * n
	}
}
