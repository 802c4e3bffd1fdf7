package c15

import (
	"sync"
)

type job struct{ id int }

// V1 renamed
func produce(out chan job) {
	go func() {
		for {
			out <- job{}
		}
	}()
}

// V2 method, missed
type queue struct {
	pending []job
	mu      sync.Mutex
}

func (q *queue) Push(j job) {
	q.mu.Lock()
	q.pending = append(q.pending, j)
	q.mu.Unlock()
}

// V3 closure
func feeder(ch chan<- job) func() {
	return func() {
		go func() {
			for i := 0; ; i++ {
				ch <- job{id: i}
			}
		}()
	}
}

// V4 generic, missed
type Mailbox[T any] struct {
	mu   sync.Mutex
	msgs []T
}

func (m *Mailbox[T]) Put(v T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.msgs = append(m.msgs, v)
}

// V5 two functions
func generate(ch chan<- job) {
	for {
		ch <- job{}
	}
}
func begin(ch chan<- job) { go generate(ch) }
