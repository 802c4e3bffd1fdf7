package a

import "sync"

type topics[T any] struct {
	mu      sync.Mutex
	waiting map[string][]T
	bounded map[string][]T
}

func (b *topics[T]) publish(topic string, v T) {
	b.mu.Lock()
	b.waiting[topic] = append(b.waiting[topic], v) // want `the queue waiting grows without a limit`
	b.mu.Unlock()
}

func (b *topics[T]) take(topic string) (v T, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.waiting[topic]
	if len(q) == 0 {
		return v, false
	}
	b.waiting[topic] = q[1:]
	return q[0], true
}

// What follows is left alone.

func (b *topics[T]) offer(topic string, v T) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if q := b.bounded[topic]; len(q) >= 64 {
		return false
	}
	b.bounded[topic] = append(b.bounded[topic], v)
	return true
}

func (b *topics[T]) next(topic string) (v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if q := b.bounded[topic]; len(q) > 0 {
		v, b.bounded[topic] = q[0], q[1:]
	}
	return v
}
