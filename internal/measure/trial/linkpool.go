package trial

import (
	"context"
	"os"
	"sync"

	"github.com/pawl-dev/pawl/internal/measure/bench"
)

// A LinkPool makes fresh links of one package once, for all of its benchmarks.
// Of one benchmark each unit has a pair of its own. That another benchmark has
// the same pairs makes the answers about the two depend on each other, which
// their error rates allow: they are added up, whatever depends on what.
type LinkPool struct {
	links Links
	most  int // pairs that are kept; what comes behind them is of one benchmark
	ahead sync.WaitGroup
	stop  context.CancelFunc // of what is linked ahead; nil before that began

	mu    sync.Mutex
	pairs [][2]*bench.Binary
}

// NewLinkPool returns a pool of links that keeps so many pairs. The caller closes it.
func NewLinkPool(links Links, most int) *LinkPool { return &LinkPool{links: links, most: most} }

// Draw returns links for one question at a time, from pair number next on.
func (p *LinkPool) Draw(next int) Links { return &drawn{pool: p, next: next} }

// Ahead links what is kept and the default while other things are measured, once. A
// failure is that of the question which asks for them.
func (p *LinkPool) Ahead(ctx context.Context, seed uint64) {
	if p.stop != nil || p.most == 0 {
		return
	}
	ctx, p.stop = context.WithCancel(ctx)
	p.ahead.Go(func() {
		for i := range p.most {
			if _, err := p.kept(ctx, i, seed+uint64(i)); err != nil {
				return
			}
		}
		_, _, _ = p.links.Default(ctx)
	})
}

// Close ends linking ahead, and removes what was linked.
func (p *LinkPool) Close() {
	if p.stop != nil {
		p.stop()
	}
	p.ahead.Wait()
	for _, pair := range p.pairs {
		linked{base: pair[0], cand: pair[1]}.remove()
	}
	p.pairs = nil
}

// kept returns pair number i, and links it where it is the next.
func (p *LinkPool) kept(ctx context.Context, i int, seed uint64) (pair [2]*bench.Binary, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i == len(p.pairs) {
		if pair[0], pair[1], err = p.links.Pair(ctx, seed); err != nil {
			return pair, err
		}
		p.pairs = append(p.pairs, pair)
	}
	return p.pairs[i], nil
}

// drawn are the links of a pool as one question sees them.
type drawn struct {
	pool *LinkPool
	next int
}

// Pair implements Links. A pair that is there already has its own seed.
func (d *drawn) Pair(ctx context.Context, seed uint64) (base, cand *bench.Binary, err error) {
	if d.next >= d.pool.most {
		return d.pool.links.Pair(ctx, seed)
	}
	pair, err := d.pool.kept(ctx, d.next, seed)
	if err != nil {
		return nil, nil, err
	}
	d.next++
	base, noBase := another(pair[0])
	cand, noCand := another(pair[1])
	if noBase != nil || noCand != nil { // a file system without hard links
		linked{base: base, cand: cand}.remove()
		return d.pool.links.Pair(ctx, seed)
	}
	return base, cand, nil
}

// Default implements Links.
func (d *drawn) Default(ctx context.Context) (base, cand *bench.Binary, err error) {
	return d.pool.links.Default(ctx)
}

// another gives a binary a second name, which its caller removes.
func another(b *bench.Binary) (*bench.Binary, error) {
	c := *b
	c.Path += ".drawn"
	_ = os.Remove(c.Path)
	if err := os.Link(b.Path, c.Path); err != nil {
		return nil, err
	}
	return &c, nil
}
