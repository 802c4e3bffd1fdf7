package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
)

// A linked is a pair of fresh links and what they took.
type linked struct {
	base, cand *bench.Binary
	seconds    float64
	err        error
}

func (l linked) remove() {
	for _, b := range []*bench.Binary{l.base, l.cand} {
		if b != nil {
			_ = os.Remove(b.Path)
		}
	}
}

// A producer links the next pairs while one is measured.
type producer struct {
	out    chan linked
	cancel context.CancelFunc
}

// linksAhead is how many pairs wait at most while one is measured and one is
// linked: a burst of other work then delays neither.
const linksAhead = 1

// produce starts linking. The goroutine ends with stop, which the caller owes,
// or with the first failure.
func (t *Trial) produce(ctx context.Context, links Links) *producer {
	ctx, cancel := context.WithCancel(ctx)
	p := &producer{out: make(chan linked, linksAhead), cancel: cancel}
	first := t.coin.Uint64()
	go func() {
		defer close(p.out)
		for i := uint64(0); ; i++ {
			start := time.Now()
			var l linked
			l.base, l.cand, l.err = links.Pair(ctx, first+i)
			l.seconds = time.Since(start).Seconds()
			select {
			case p.out <- l:
			case <-ctx.Done():
				l.remove()
				return
			}
			if l.err != nil {
				return
			}
		}
	}()
	return p
}

// next waits for the next pair. A production that has ended with its context
// has none.
func (p *producer) next(ctx context.Context) (linked, error) {
	select {
	case l, ok := <-p.out:
		if !ok {
			return linked{}, cmp.Or(ctx.Err(), context.Canceled)
		}
		return l, l.err
	case <-ctx.Done():
		return linked{}, ctx.Err()
	}
}

// stop ends the production, if there is one, and waits for its end.
func (p *producer) stop() {
	if p == nil {
		return
	}
	p.cancel()
	for l := range p.out {
		l.remove()
	}
}

// A LinkPair is Links of two builds, with their functions in one order where that
// can be had.
type LinkPair struct {
	base, cand *bench.Linker

	mu    sync.Mutex
	asked bool
	order *bench.Order // nil where there is none
}

// NewLinkPair returns the links of two builds.
func NewLinkPair(base, cand *bench.Linker) *LinkPair { return &LinkPair{base: base, cand: cand} }

// Pair implements Links.
func (p *LinkPair) Pair(ctx context.Context, seed uint64) (base, cand *bench.Binary, err error) {
	order := p.ordered(ctx)
	base, cand, err = p.both(func(l *bench.Linker, side string) (*bench.Binary, error) {
		return l.Link(ctx, fmt.Sprintf("%s-%d", side, seed), seed, order)
	})
	if err != nil {
		linked{base: base, cand: cand}.remove()
		return nil, nil, err
	}
	return base, cand, nil
}

// ordered returns the order of both sides. It is asked for once, unless the caller gives up.
func (p *LinkPair) ordered(ctx context.Context) *bench.Order {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.asked {
		o, err := bench.NewOrder(ctx, p.base, p.cand)
		if p.asked = ctx.Err() == nil; err == nil {
			p.order = o
		}
	}
	return p.order
}

// Default implements Links.
func (p *LinkPair) Default(ctx context.Context) (base, cand *bench.Binary, err error) {
	return p.both(func(l *bench.Linker, _ string) (*bench.Binary, error) { return l.Default(ctx) })
}

// both links the sides at the same time.
func (p *LinkPair) both(link func(l *bench.Linker, side string) (*bench.Binary, error)) (base, cand *bench.Binary, err error) {
	done := make(chan error, 1)
	go func() {
		var err error
		base, err = link(p.base, "base")
		done <- err
	}()
	cand, err = link(p.cand, "candidate")
	return base, cand, errors.Join(<-done, err)
}
