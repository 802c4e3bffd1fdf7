package c39

import "sync"

// V1 method

type reading struct {
	sensor string
	value  float64
}

type board struct {
	mu     sync.Mutex
	latest map[string]float64
}

func (b *board) Follow(feed <-chan reading) {
	go func() {
		for {
			r := <-feed
			b.mu.Lock()
			b.latest[r.sensor] = r.value
			b.mu.Unlock()
		}
	}()
}
