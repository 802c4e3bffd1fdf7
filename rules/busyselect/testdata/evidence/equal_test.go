package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestSum(t *testing.T) {
	for _, numbers := range [][]int{nil, {1}, {1, -1}, {3, 4, 5, 6}} {
		var got [2]int
		for i, sum := range []func(<-chan int, <-chan struct{}) int{before.Sum, after.Sum} {
			in, done, result := make(chan int), make(chan struct{}), make(chan int)
			go func() { result <- sum(in, done) }()
			for _, n := range numbers {
				in <- n
			}
			close(done)
			got[i] = <-result
		}
		if got[0] != got[1] {
			t.Errorf("%v: %d, then %d", numbers, got[0], got[1])
		}
	}
}
