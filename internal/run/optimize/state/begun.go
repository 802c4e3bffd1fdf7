package state

import (
	"context"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// Begun is work that needs the tree as it is and goes on beside something else. Nil is
// work that was not begun.
type Begun struct {
	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// Begin begins work.
func Begin(ctx context.Context, work func(context.Context) error) *Begun {
	b := &Begun{done: make(chan struct{})}
	ctx, b.cancel = context.WithCancel(ctx)
	go func() {
		defer close(b.done)
		b.err = work(ctx)
	}()
	return b
}

// BeginAside begins work beside measurements, on the cores that these leave alone. It
// returns nil where no core is to spare, or where tests and benchmarks may write what is
// read meanwhile.
func (m *Module) BeginAside(ctx context.Context, work func(context.Context) error) *Begun {
	cores := gocmd.Aside()
	if len(cores) == 0 || !m.Beside() || m.Go.PutBack(ctx) != nil || m.Snap.Disturbed() {
		return nil
	}
	return Begin(gocmd.OnCores(ctx, cores), work)
}

// PrepareOrder begins to build, on the cores that measurements leave alone, what gives both
// sides of a fresh link one order of functions. The tree may change meanwhile.
func (m *Module) PrepareOrder(ctx context.Context) {
	if cores := gocmd.Aside(); len(cores) > 0 && m.order == nil {
		m.order = Begin(gocmd.OnCores(ctx, cores), m.Suite.PrepareOrder)
	}
}

// StopOrder ends what PrepareOrder has begun, done or not.
func (m *Module) StopOrder() { m.order.Stop() }

// Err waits for the end of work that was begun.
func (b *Begun) Err() error {
	<-b.done
	return b.err
}

// Within is Err for as long as ctx lasts: type-checking, say, does not end when it is told to.
func (b *Begun) Within(ctx context.Context) error {
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Done waits for the end, and reports whether the work is done.
func (b *Begun) Done() bool { return b != nil && b.Err() == nil }

// Stop ends the work, done or not. The tree may change then.
func (b *Begun) Stop() {
	if b != nil {
		b.cancel()
		<-b.done
	}
}
