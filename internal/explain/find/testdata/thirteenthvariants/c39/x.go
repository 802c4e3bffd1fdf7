package c39

import "sync"

type reading struct {
	sensor string
	value  float64
}

type board struct {
	mu     sync.Mutex
	latest map[string]float64
}

// V1 method
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
