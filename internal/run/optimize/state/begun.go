package state

import (
	"context"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// Begun is work that needs the tree as it is and goes on beside measurements, on the
// cores that these leave alone. Nil is work that was not begun.
type Begun struct {
	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// Begin begins work beside a measurement, or returns nil: where no core is to spare, or
// where tests and benchmarks may write what is read meanwhile.
func (m *Module) Begin(ctx context.Context, work func(context.Context) error) *Begun {
	cores := gocmd.Aside()
	if len(cores) == 0 || !m.Beside() || m.Go.PutBack(ctx) != nil || m.Snap.Disturbed() {
		return nil
	}
	b := &Begun{done: make(chan struct{})}
	ctx, b.cancel = context.WithCancel(gocmd.OnCores(ctx, cores))
	go func() {
		defer close(b.done)
		b.err = work(ctx)
	}()
	return b
}

// Wait waits for the end, and reports whether the work is done.
func (b *Begun) Wait() bool {
	if b == nil {
		return false
	}
	<-b.done
	return b.err == nil
}

// Stop ends the work. The tree may change then.
func (b *Begun) Stop() {
	if b != nil {
		b.cancel()
		<-b.done
	}
}
