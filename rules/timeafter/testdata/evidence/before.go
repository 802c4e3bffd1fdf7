// Package evidence adds up what comes in before a timeout.
package evidence

import "time"

// Sum returns the sum of n numbers, and whether they came in time, each within
// a while of the one before.
func Sum(in <-chan int, n int, while time.Duration) (sum int, ok bool) {
	for range n {
		select {
		case x := <-in:
			sum += x
		case <-time.After(while):
			return sum, false
		}
	}
	return sum, true
}
