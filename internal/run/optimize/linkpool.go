package optimize

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/trial"
)

// A linkPool makes fresh links of one package once, for all of its benchmarks.
// Of one benchmark each unit has a pair of its own. That another benchmark has
// the same pairs makes the answers about the two depend on each other, which
// their error rates allow: they are added up, whatever depends on what.
type linkPool struct {
	links trial.Links
	pairs [][2]*bench.Binary
}

// draw returns the pairs from the first on, for one question at a time.
func (p *linkPool) draw() trial.Links { return &drawn{pool: p} }

// close removes what was linked.
func (p *linkPool) close() {
	for _, pair := range p.pairs {
		for _, b := range pair {
			_ = os.Remove(b.Path)
		}
	}
	p.pairs = nil
}

// drawn are the links of a pool as one question sees them.
type drawn struct {
	pool *linkPool
	next int
}

// Pair implements trial.Links. A pair that is there already has its own seed.
func (d *drawn) Pair(ctx context.Context, seed uint64) (base, cand *bench.Binary, err error) {
	p := d.pool
	if d.next == len(p.pairs) {
		if base, cand, err = p.links.Pair(ctx, seed); err != nil {
			return nil, nil, err
		}
		p.pairs = append(p.pairs, [2]*bench.Binary{base, cand})
	}
	pair := p.pairs[d.next]
	d.next++
	if base, err = another(pair[0]); err != nil {
		return nil, nil, err
	}
	if cand, err = another(pair[1]); err != nil {
		return nil, nil, errors.Join(err, os.Remove(base.Path))
	}
	return base, cand, nil
}

// Default implements trial.Links.
func (d *drawn) Default(ctx context.Context) (base, cand *bench.Binary, err error) {
	return d.pool.links.Default(ctx)
}

// another gives a binary a second name, which its caller removes.
func another(b *bench.Binary) (*bench.Binary, error) {
	c := *b
	c.Path += ".drawn"
	_ = os.Remove(c.Path)
	if err := os.Link(b.Path, c.Path); err != nil {
		return nil, fmt.Errorf("sharing a link: %w", err)
	}
	return &c, nil
}
