package profile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// Options say how samples become costs per op.
type Options struct {
	Root       string // absolute; files below it become relative to it
	ModuleDir  string // absolute; with ModulePath, for binaries built with -trimpath
	ModulePath string
	ModCache   string  // absolute, or ""; files below it are never the user's
	N          int64   // iterations that the profile covers
	Total      float64 // measured cost of one op, for shares; 0 means the profile's own sum
	// MinShare is the part of the total below which a stack is not listed; all
	// such stacks together are one unexplained entry.
	MinShare float64
}

// minPerOp is how many objects per op make a site part of the loop, below
// which it is taken for set-up.
const minPerOp = 0.05

// Costs returns what each stack costs one op of bm, the greatest first, and
// what has no line. Costs of allocations carry their bytes.
//
// For CPU the sum of all that is returned is o.Total when that is given.
// For allocations the sum is what the profile shows. For mutexes o.Total is
// the time of an op in all goroutines that run at the same time.
func (p *Profile) Costs(bm model.Benchmark, res model.Resource, o Options) ([]model.Cost, []model.Unexplained, error) {
	if o.N < 1 && (o.Total <= 0 || res != model.CPU) {
		return nil, nil, fmt.Errorf("costs of %s: the number of iterations is not known", bm)
	}
	value, second, err := p.columns(res)
	if err != nil {
		return nil, nil, fmt.Errorf("costs of %s: %w", bm, err)
	}
	g := p.gather(bm, o, value, second)
	if res == model.Allocs || res == model.Bytes {
		g.dropSetup(res, o.N)
	}
	scale, total := g.scale(res, o)
	costs, rest := g.costs(bm, res, scale, total, o.MinShare)
	if rest.PerOp > 0 {
		g.lost = append(g.lost, rest)
	}
	for i := range g.lost {
		g.lost[i].Benchmark, g.lost[i].Resource = bm, res
	}
	return costs, g.lost, nil
}

// GCShare returns the part of a benchmark's CPU time that the garbage
// collector spends in the background, 0 to 1. Its assists, which stand on the
// stacks that allocate, are not in it.
func (p *Profile) GCShare(bm model.Benchmark, o Options) (float64, error) {
	value, second, err := p.columns(model.CPU)
	if err != nil {
		return 0, fmt.Errorf("garbage collection of %s: %w", bm, err)
	}
	g := p.gather(bm, o, value, second)
	if all := g.sum(); all > 0 {
		return float64(g.byOrigin[collector]) / float64(all), nil
	}
	return 0, nil
}

// A gathering is the samples of one benchmark, equal stacks merged.
type gathering struct {
	sites    []*site
	byOrigin map[origin]int64
	lost     []model.Unexplained
}

type site struct {
	stack         []model.Frame
	value, second int64
	from          origin
	blocks        map[int64]int64 // bytes by the size of an object; nil where the profile has no sizes
}

// add takes in so many bytes in objects of a size.
func (s *site) add(size, bytes int64) {
	if s.blocks == nil {
		s.blocks = map[int64]int64{}
	}
	s.blocks[size] += bytes
}

// block returns the size of an object such that half of the bytes are in objects of that size or more.
func (s *site) block() int64 {
	left := s.second
	for _, size := range slices.Backward(slices.Sorted(maps.Keys(s.blocks))) {
		if left -= 2 * s.blocks[size]; left <= 0 {
			return size
		}
	}
	return 0
}

func (p *Profile) gather(bm model.Benchmark, o Options, value, second int) *gathering {
	frames, e := newPlacer(o).frames(p.frames), expander{}
	g := &gathering{byOrigin: make(map[origin]int64)}
	byKey := make(map[string]*site)
	for i := range p.of {
		s := p.row(i)
		if s[value] == 0 && s[second] == 0 {
			continue
		}
		stack := e.stack(p, frames, i)
		from := originOf(stack, bm)
		g.byOrigin[from] += s[value]
		if from == other || from == collector || from == scheduler {
			continue
		}
		key := stackKey(stack)
		if byKey[key] == nil {
			byKey[key] = &site{stack: slices.Clone(stack), from: from}
			g.sites = append(g.sites, byKey[key])
		}
		byKey[key].value += s[value]
		byKey[key].second += s[second]
		if i < len(p.sizes) && p.sizes[i] > 0 {
			byKey[key].add(p.sizes[i], s[second])
		}
	}
	if g.byOrigin[parallel] > 0 { // the iterations are there: what the function does beside them is set-up
		g.sites = slices.DeleteFunc(g.sites, func(s *site) bool { return s.from == benchmark || s.from == first })
		g.byOrigin[benchmark], g.byOrigin[first] = 0, 0
	}
	if g.byOrigin[benchmark] > 0 { // the first run is not all there is, as it is with b.Loop
		g.sites = slices.DeleteFunc(g.sites, func(s *site) bool { return s.from == first })
		g.byOrigin[first] = 0
	}
	return g
}

// sum is all that the benchmark's process did for it.
func (g *gathering) sum() int64 {
	all := g.byOrigin[collector] + g.byOrigin[scheduler]
	for _, s := range g.sites {
		all += s.value
	}
	return all
}

func (g *gathering) dropSetup(res model.Resource, n int64) {
	g.sites = slices.DeleteFunc(g.sites, func(s *site) bool {
		objects := s.value
		if res == model.Bytes {
			objects = s.second
		}
		return float64(objects) < minPerOp*float64(n)
	})
}

// scale returns the factor that makes a sample value a cost per op, and the
// total that shares refer to. For CPU it also adds what has no line.
func (g *gathering) scale(res model.Resource, o Options) (scale, total float64) {
	if res != model.CPU {
		scale = 1 / float64(o.N)
		for _, s := range g.sites {
			total += float64(s.value) * scale
		}
		if o.Total > 0 {
			total = o.Total
		}
		return scale, total
	}
	all := float64(g.sum())
	switch {
	case all == 0:
		return 0, o.Total
	case o.Total > 0:
		scale = o.Total / all
	default:
		scale = 1 / float64(o.N)
	}
	total = all * scale
	for _, e := range []struct {
		from origin
		text string
	}{
		{collector, "garbage collection in the background; it goes down with the bytes allocated"},
		{scheduler, "the scheduler and other work of the runtime on no goroutine"},
	} {
		if v := g.byOrigin[e.from]; v > 0 {
			g.lost = append(g.lost, model.Unexplained{PerOp: float64(v) * scale, Kind: model.ReasonUnknown, Text: e.text})
		}
	}
	return scale, total
}

func (g *gathering) costs(bm model.Benchmark, res model.Resource, scale, total, minShare float64) (out []model.Cost, rest model.Unexplained) {
	small := 0
	for _, s := range g.sites {
		c := model.Cost{Benchmark: bm, Resource: res, Stack: s.stack, Home: home(s.stack), PerOp: float64(s.value) * scale}
		if total > 0 {
			c.Share = c.PerOp / total
		}
		if res == model.Allocs {
			c.Bytes, c.Block = float64(s.second)*scale, s.block()
		}
		if c.Share < minShare {
			small++
			rest.PerOp += c.PerOp
			continue
		}
		out = append(out, c)
	}
	rest.Kind, rest.Text = model.ReasonUnknown, fmt.Sprintf("%d stacks that cost less than %.2g %% each", small, 100*minShare)
	sortCosts(out)
	return out, rest
}

func sortCosts(c []model.Cost) {
	sorted.By(c, func(a, b model.Cost) int {
		return cmp.Or(cmp.Compare(b.PerOp, a.PerOp), cmp.Compare(stackKey(a.Stack), stackKey(b.Stack)))
	})
}

func stackKey(stack []model.Frame) string {
	var b strings.Builder
	for _, f := range stack {
		fmt.Fprintf(&b, "%s %s:%d %t\n", f.Func, f.File, f.Line, f.Inline)
	}
	return b.String()
}
