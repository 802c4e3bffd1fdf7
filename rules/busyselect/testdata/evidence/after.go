// Package evidence adds up what comes in.
package evidence

// Sum returns the sum of the numbers that came in until done was closed.
func Sum(in <-chan int, done <-chan struct{}) int {
	sum := 0
	for {
		select {
		case n := <-in:
			sum += n
		case <-done:
			return sum
		}
	}
}
