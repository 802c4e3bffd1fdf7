package c14

import "sync"

// V2 method

type message struct{ topic, body string }

type subscriber struct {
	mu    sync.Mutex
	inbox []message
}

func (s *subscriber) deliver(m message) {
	s.mu.Lock()
	s.inbox = append(s.inbox, m)
	s.mu.Unlock()
}

type broker struct {
	subscribers map[string]*subscriber
}

func (b *broker) publish(m message) {
	for _, s := range b.subscribers {
		go s.deliver(m)
	}
}
