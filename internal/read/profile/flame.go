package profile

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// flameNodes is how many nodes a flame graph has at most, unless it is told
// otherwise: what a page can hold and a reader can look at.
const flameNodes = 3000

// FlameOptions say what a flame graph is of.
type FlameOptions struct {
	Title string
	Type  string // of the samples: cpu, alloc_space
	// Resource and Unit name the values. Where they are empty, Type tells; it does
	// not tell mutex from block profiles, which have the same types.
	Resource, Unit string
	// Benchmark, where there is one, leaves out what its process did for others,
	// as Costs does.
	Benchmark *model.Benchmark
	// Ops are the operations that each profile covers. With them values are per op,
	// without they are as the profile has them.
	Ops [2]float64
	// PerOp is what an op was measured to cost on each side. Values are then the
	// profile's shares of it, and Ops are not looked at.
	PerOp [2]float64
	// Module says whose functions are the user's, by symbol: see InModule. Without
	// it none is.
	Module func(symbol string) bool
	// Cut is the share of the larger total below which parts are folded into the
	// node above. Nodes is how many are kept at most, the greatest first; 0 stands
	// for flameNodes.
	Cut   float64
	Nodes int
}

// InModule returns a FlameOptions.Module: functions of packages at and below
// an import path, with their external tests, and those of package main.
func InModule(path string) func(symbol string) bool {
	path = strings.TrimSuffix(path, "/")
	return func(symbol string) bool {
		pkg := words.SymbolPackage(symbol)
		return pkg == "main" || path != "" && (pkg == path || pkg == path+"_test" || strings.HasPrefix(pkg, path+"/"))
	}
}

// NewFlame returns the call tree of a profile, or of two side by side where
// candidate is not nil: equal stacks of functions merged from the outermost
// frame inwards, inlined calls expanded, recursion kept. Children are sorted by
// value, the greatest first, then by name.
//
// A benchmark has its first run only where there is no other, and set-up of the
// process not at all. The error is for a type that a profile does not have, and
// for negative values.
func NewFlame(base, candidate *Profile, o FlameOptions) (*model.Flame, error) {
	res, unit := flameUnit(o)
	fl := &model.Flame{Title: o.Title, Resource: res, Unit: unit, Two: candidate != nil}
	g := &grove{funcs: map[string]*flameFunc{}, root: &flameNode{}}
	for side, p := range []*Profile{base, candidate} {
		if p == nil {
			continue
		}
		n, err := g.plant(p, side, o)
		if err != nil {
			return nil, fmt.Errorf("flame graph of %s: %w", o.Title, err)
		}
		fl.Samples[side] = n
	}
	fl.PerOp = g.scale(o, fl.Two)
	fl.Total = g.root.value
	g.sort(g.root)
	fl.Cut, fl.Folded = g.prune(o)
	g.write(fl, o)
	return fl, nil
}

// flameUnit names what the values of a type of samples are.
func flameUnit(o FlameOptions) (resource, unit string) {
	resource, unit = o.Type, "samples"
	if known, ok := map[string][2]string{
		"cpu": {"cpu", "ns"}, "delay": {"block", "ns"}, "goroutine": {"goroutines", "goroutines"}, "goroutineleak": {"goroutines", "goroutines"},
		"alloc_space": {"bytes", "bytes"}, "alloc_objects": {"allocs", "objects"},
		"inuse_space": {"live", "bytes"}, "inuse_objects": {"live objects", "objects"},
	}[o.Type]; ok {
		resource, unit = known[0], known[1]
	}
	return cmp.Or(o.Resource, resource), cmp.Or(o.Unit, unit)
}

// A grove is a flame graph as it grows.
type grove struct {
	root  *flameNode
	funcs map[string]*flameFunc
	deep  int // stacks of more levels than there are
}

type flameNode struct {
	fn       *flameFunc
	kids     []*flameNode
	byFunc   map[*flameFunc]*flameNode // nil while there are few
	value    [2]float64
	self     [2]float64
	rest     [2]float64
	square   [2]float64 // of single samples' weights: the variance of value
	kept     bool
	position int // in the order of the tree
}

type flameFunc struct {
	name  string
	lines map[flamePlace]float64 // where it was seen, and how much
	index int                    // in the result; -1 before
}

type flamePlace struct {
	file string
	line int
}

// flameDepth is how many levels of calls a flame graph has. Go's profilers
// record fewer.
const flameDepth = 512

// plant adds a profile's stacks and returns how many samples they stand for.
func (g *grove) plant(p *Profile, side int, o FlameOptions) (int64, error) {
	samples, aside := 0.0, []func(){}
	exact := p.exact(o.Type)
	add := func(stack []model.Frame, value, count float64) {
		count = max(count, 1)
		samples += count
		square := value * value / count
		if exact {
			square = 0
		}
		g.add(stack, side, value, square)
	}
	only := true // there is no run but the first
	err := p.eachStack(o.Type, func(stack []model.Frame, value, count float64) {
		from := benchmark
		if o.Benchmark != nil {
			from = originOf(stack, *o.Benchmark)
		}
		switch from {
		case other:
			return
		case first:
			own := slices.Clone(stack)
			aside = append(aside, func() { add(own, value, count) })
			return
		case benchmark, parallel:
			only = false
		}
		add(stack, value, count)
	})
	if only {
		for _, f := range aside {
			f()
		}
	}
	return int64(math.Round(samples)), err
}

func (g *grove) add(stack []model.Frame, side int, value, square float64) {
	at := g.root
	at.value[side] += value
	at.square[side] += square
	for i, f := range slices.Backward(stack) {
		if len(stack)-i > flameDepth {
			at.rest[side] += value
			g.deep++
			return
		}
		at = at.child(g.fn(f.Func))
		at.value[side] += value
		at.square[side] += square
		at.fn.lines[flamePlace{f.File, f.Line}] += value
	}
	at.self[side] += value
}

func (g *grove) fn(name string) *flameFunc {
	name = cmp.Or(name, "(no name)")
	f := g.funcs[name]
	if f == nil {
		f = &flameFunc{name: name, lines: map[flamePlace]float64{}, index: -1}
		g.funcs[name] = f
	}
	return f
}

// fewKids is how many children are searched one by one. Most nodes have one or
// two, and a map for each would take more room than the nodes.
const fewKids = 8

func (n *flameNode) child(fn *flameFunc) *flameNode {
	if n.byFunc == nil {
		for _, kid := range n.kids {
			if kid.fn == fn {
				return kid
			}
		}
	} else if kid := n.byFunc[fn]; kid != nil {
		return kid
	}
	kid := &flameNode{fn: fn}
	n.kids = append(n.kids, kid)
	switch {
	case n.byFunc != nil:
		n.byFunc[fn] = kid
	case len(n.kids) > fewKids:
		n.byFunc = map[*flameFunc]*flameNode{}
		for _, k := range n.kids {
			n.byFunc[k.fn] = k
		}
	}
	return kid
}

// scale makes values those of one op, where that is known of all profiles, and
// reports whether it did.
func (g *grove) scale(o FlameOptions, two bool) bool {
	var by [2]float64
	for side := range by {
		switch {
		case side == 1 && !two:
		case o.PerOp[side] > 0 && g.root.value[side] > 0:
			by[side] = o.PerOp[side] / g.root.value[side]
		case o.PerOp[side] > 0: // nothing to share out
			by[side] = 1
		case o.Ops[side] > 0:
			by[side] = 1 / o.Ops[side]
		default:
			return false
		}
	}
	g.walk(g.root, func(n *flameNode) {
		for side := range by {
			n.value[side] *= by[side]
			n.self[side] *= by[side]
			n.rest[side] *= by[side]
			n.square[side] *= by[side] * by[side]
		}
	})
	return true
}

// walk calls f for each node, before its children.
func (g *grove) walk(n *flameNode, f func(*flameNode)) {
	f(n)
	for _, kid := range n.kids {
		g.walk(kid, f)
	}
}

// clear reports whether the two values of a node differ by more than three
// standard errors: a graph has many nodes, and of two errors there would be
// some that nothing happened to. Values per op are compared as they are,
// others as shares of their totals.
func (g *grove) clear(n *flameNode, fl *model.Flame) bool {
	if !fl.Two {
		return false
	}
	var x, variance [2]float64
	for side, total := range fl.Total {
		x[side], variance[side] = n.value[side], n.square[side]
		if !fl.PerOp && total > 0 { // the variance of a ratio of sums, to first order
			p := n.value[side] / total
			x[side], variance[side] = p, (n.square[side]*(1-2*p)+p*p*g.root.square[side])/(total*total)
		}
	}
	d := x[1] - x[0]
	return d*d > 9*(variance[0]+variance[1])
}

func (n *flameNode) greater() float64 { return max(n.value[0], n.value[1]) }

func (g *grove) sort(n *flameNode) {
	g.walk(n, func(n *flameNode) {
		slices.SortFunc(n.kids, func(a, b *flameNode) int {
			return cmp.Or(cmp.Compare(b.greater(), a.greater()), cmp.Compare(a.fn.name, b.fn.name))
		})
	})
}

// prune marks the nodes that are kept, and adds what the others have to the
// rest of the node above. A child is never greater than the node above it and
// stands behind it, so what is kept is a tree. It returns the greatest share
// that was left out, and how many nodes were.
func (g *grove) prune(o FlameOptions) (cut float64, folded int) {
	var all []*flameNode
	g.walk(g.root, func(n *flameNode) {
		n.position = len(all)
		all = append(all, n)
	})
	slices.SortFunc(all, func(a, b *flameNode) int {
		return cmp.Or(cmp.Compare(b.greater(), a.greater()), cmp.Compare(a.position, b.position))
	})
	total := g.root.greater()
	for _, n := range all[:min(len(all), cmp.Or(o.Nodes, flameNodes))] {
		n.kept = n.greater() >= o.Cut*total
	}
	g.root.kept = true
	g.walk(g.root, func(n *flameNode) {
		for _, kid := range n.kids {
			if kid.kept {
				continue
			}
			folded++
			if n.kept {
				cut = max(cut, kid.greater()/total)
				n.rest[0], n.rest[1] = n.rest[0]+kid.value[0], n.rest[1]+kid.value[1]
			}
		}
	})
	return cut, folded + g.deep
}

// write puts what was kept into the result.
func (g *grove) write(fl *model.Flame, o FlameOptions) {
	fl.Funcs = []model.FlameFunc{}
	var put func(n *flameNode, parent int)
	put = func(n *flameNode, parent int) {
		at := len(fl.Nodes)
		node := model.FlameNode{Func: -1, Parent: parent, Value: n.value, Self: n.self, Rest: n.rest, Clear: g.clear(n, fl)}
		if n.fn != nil {
			if n.fn.index < 0 {
				n.fn.index = len(fl.Funcs)
				fl.Funcs = append(fl.Funcs, n.fn.result(o))
			}
			node.Func = n.fn.index
		}
		fl.Nodes = append(fl.Nodes, node)
		for _, kid := range n.kids {
			if kid.kept {
				put(kid, at)
			}
		}
	}
	put(g.root, -1)
}

func (f *flameFunc) result(o FlameOptions) model.FlameFunc {
	places := sorted.Of(maps.Keys(f.lines), func(a, b flamePlace) int {
		return cmp.Or(cmp.Compare(f.lines[b], f.lines[a]), cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	return model.FlameFunc{Name: f.name, File: places[0].file, Line: places[0].line, Module: o.Module != nil && o.Module(f.name), Std: Standard(f.name)}
}
