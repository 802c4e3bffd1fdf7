package c15

import "sync"

// V1 generic, map of queues
type broker[T any] struct {
	mu     sync.Mutex
	topics map[string][]T
}

func (b *broker[T]) Publish(topic string, v T) {
	b.mu.Lock()
	b.topics[topic] = append(b.topics[topic], v)
	b.mu.Unlock()
}

func (b *broker[T]) Take(topic string) (v T, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.topics[topic]
	if len(q) == 0 {
		return v, false
	}
	b.topics[topic] = q[1:]
	return q[0], true
}
