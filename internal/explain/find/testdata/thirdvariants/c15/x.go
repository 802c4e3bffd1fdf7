package c15

import "sync"

// V2 method
type task struct{ id int }

type queue struct {
	mu      sync.Mutex
	pending []task
}

func (q *queue) push(t task) {
	q.mu.Lock()
	q.pending = append(q.pending, t)
	q.mu.Unlock()
}

func (q *queue) pop() (task, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.pending) == 0 {
		return task{}, false
	}
	t := q.pending[0]
	q.pending = q.pending[1:]
	return t, true
}
