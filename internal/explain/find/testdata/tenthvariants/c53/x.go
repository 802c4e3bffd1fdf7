package c53

import (
	"errors"
	"time"
)

var errIdle = errors.New("idle")

// V1 goroutine, the channel in a variable that is set on a condition, missed
type Session struct {
	in   chan []byte
	idle time.Duration
	err  error
}

func (s *Session) Start(handle func([]byte)) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		for {
			var expired <-chan time.Time
			if s.idle > 0 {
				expired = time.After(s.idle)
			}
			select {
			case m, ok := <-s.in:
				if !ok {
					return
				}
				handle(m)
			case <-expired:
				s.err = errIdle
				return
			}
		}
	}()
	return done
}
