package c15

import (
	"sync"
)

type ev struct{ id int }

// V1 renamed
func produce(out chan<- ev) {
	go func() {
		for i := 0; ; i++ {
			out <- ev{i}
		}
	}()
}

// V2 method, missed
type bus struct {
	pending []ev
	mu      sync.Mutex
}

func (b *bus) publish(e ev) {
	b.mu.Lock()
	b.pending = append(b.pending, e)
	b.mu.Unlock()
}

// V3 closure
func feeder(ch chan ev) func() {
	return func() {
		go func() {
			for {
				ch <- ev{}
			}
		}()
	}
}

// V4 generic, missed
func gen[T any](c chan<- T, mk func() T) {
	go func() {
		for {
			c <- mk()
		}
	}()
}

// V5 two functions
func loop(c chan<- ev) {
	for {
		c <- ev{}
	}
}
func begin(c chan<- ev) { go loop(c) }
