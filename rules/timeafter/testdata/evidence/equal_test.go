package equal

import (
	"testing"
	"testing/synctest"
	"time"

	after "evidence/after"
	before "evidence/before"
)

// TestSum sends numbers after pauses, in a bubble whose clock runs at once.
func TestSum(t *testing.T) {
	const while = 10 * time.Millisecond
	for _, pauses := range [][]time.Duration{
		nil, {0}, {1, 9}, {9, 9, 9, 9}, {11}, {0, 0, 11, 0}, {9, 0, 12}, {5, 5, 5, 5, 5, 5, 30, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			var sums [2]int
			var oks [2]bool
			var took [2]time.Duration
			for i, sum := range []func(<-chan int, int, time.Duration) (int, bool){before.Sum, after.Sum} {
				in := make(chan int, len(pauses))
				go func() {
					for n, p := range pauses {
						time.Sleep(p * time.Millisecond)
						in <- n + 1
					}
				}()
				start := time.Now()
				sums[i], oks[i] = sum(in, len(pauses), while)
				took[i] = time.Since(start)
				time.Sleep(time.Minute) // until the sender is done
			}
			if sums[0] != sums[1] || oks[0] != oks[1] || took[0] != took[1] {
				t.Errorf("%v: %d %v %v, then %d %v %v", pauses, sums[0], oks[0], took[0], sums[1], oks[1], took[1])
			}
		})
	}
}
