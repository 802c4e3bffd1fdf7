package c27

import (
	"context"
	"time"
)

// V1 method, range over int, cancel, missed
type poller struct {
	ask   func(context.Context) (int, error)
	tries int
}

func (p *poller) Best(ctx context.Context) (best int) {
	for range p.tries {
		sub, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		n, err := p.ask(sub)
		if err != nil {
			continue
		}
		best = max(best, n)
	}
	return best
}
