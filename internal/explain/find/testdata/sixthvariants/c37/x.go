package c37

import (
	"sync"
	"sync/atomic"
)

// V1 slice of numbers, other call
func CountParallel(shards [][]byte, want byte) int64 {
	hits := make([]int64, len(shards))
	var wg sync.WaitGroup
	for w := range shards {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, b := range shards[w] {
				if b == want {
					atomic.AddInt64(&hits[w], 1)
				}
			}
		}()
	}
	wg.Wait()
	var sum int64
	for _, h := range hits {
		sum += h
	}
	return sum
}

// V2 neighbours in a struct, embedded
type progress struct {
	produced atomic.Int64
	consumed atomic.Int64
}

type pipe struct {
	progress
	ch chan int
}

func (p *pipe) produce(n int) {
	for i := range n {
		p.ch <- i
		p.produced.Add(1)
	}
	close(p.ch)
}

func (p *pipe) consume() {
	for range p.ch {
		p.consumed.Add(1)
	}
}

func Pump(n int) int64 {
	p := &pipe{ch: make(chan int, 512)}
	go p.produce(n)
	p.consume()
	return p.produced.Load() - p.consumed.Load()
}
