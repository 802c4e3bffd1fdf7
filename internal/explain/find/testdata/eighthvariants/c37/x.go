package c37

import (
	"sync"
	"sync/atomic"
)

// V1 closure
func Tally(workers int, next func() (int, bool)) (total int64) {
	sums := make([]atomic.Int64, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for {
				n, ok := next()
				if !ok {
					return
				}
				sums[w].Add(int64(n))
			}
		})
	}
	wg.Wait()
	for i := range sums {
		total += sums[i].Load()
	}
	return total
}

// V2 generic
type shard[K comparable] struct {
	mu   sync.Mutex
	hits int64
}

type sharded[K comparable] struct {
	shards []shard[K]
	hash   func(K) uint64
}

func (s *sharded[K]) Hit(k K) {
	sh := &s.shards[s.hash(k)%uint64(len(s.shards))]
	sh.mu.Lock()
	sh.hits++
	sh.mu.Unlock()
}
