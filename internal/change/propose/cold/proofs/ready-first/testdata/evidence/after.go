// Package evidence limits how many do something at a time.
package evidence

import (
	"context"
	"errors"
	"time"
)

// A Limit has a token for each that may work at the same time.
type Limit struct {
	tokens chan int
	wait   time.Duration
}

// New returns a Limit of n, for which nobody waits longer than wait.
func New(n int, wait time.Duration) *Limit {
	l := &Limit{tokens: make(chan int, n), wait: wait}
	for i := range n {
		l.tokens <- i
	}
	return l
}

// ErrBusy says that no token was free in time.
var ErrBusy = errors.New("busy")

// Take waits for a token.
func (l *Limit) Take(ctx context.Context) (int, error) {
	select {
	case token := <-l.tokens:
		return token, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	default:
		timer := time.NewTimer(l.wait) // target
		defer timer.Stop()
		select {
		case token := <-l.tokens:
			return token, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-timer.C:
			return 0, ErrBusy
		}
	}
}

// Give returns a token.
func (l *Limit) Give(token int) { l.tokens <- token }
