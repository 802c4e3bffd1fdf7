package c37

import (
	"sync"
	"sync/atomic"
)

// V3 closure

func consume(jobs <-chan func(), workers int) []int64 {
	done := make([]atomic.Int64, workers)
	var wg sync.WaitGroup
	for id := range workers {
		wg.Go(func() {
			for job := range jobs {
				job()
				done[id].Add(1)
			}
		})
	}
	wg.Wait()
	counts := make([]int64, workers)
	for i := range done {
		counts[i] = done[i].Load()
	}
	return counts
}
