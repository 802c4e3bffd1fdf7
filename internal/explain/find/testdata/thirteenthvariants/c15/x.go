package c15

import (
	"context"
	"sync"
)

// V1 method

type Notification struct {
	Recipient string
	Body      []byte
}

type Outbox struct {
	mu      sync.Mutex
	wake    *sync.Cond
	pending []Notification
	send    func(context.Context, Notification) error
}

func NewOutbox(send func(context.Context, Notification) error) *Outbox {
	o := &Outbox{send: send}
	o.wake = sync.NewCond(&o.mu)
	return o
}

func (o *Outbox) Submit(n Notification) {
	o.mu.Lock()
	o.pending = append(o.pending, n)
	o.mu.Unlock()
	o.wake.Signal()
}

func (o *Outbox) Run(ctx context.Context) {
	for ctx.Err() == nil {
		o.mu.Lock()
		for len(o.pending) == 0 {
			o.wake.Wait()
		}
		next := o.pending[0]
		o.pending = o.pending[1:]
		o.mu.Unlock()
		_ = o.send(ctx, next)
	}
}
