package pawldrive

import (
	"cmp"
	"runtime"
	"slices"
	"time"
)

const (
	freshPasses = 5
	freshInputs = 200 // per pass, at most
	freshTurns  = 16  // inputs per pass that are called again, at most
	turnAgain   = 8   // how often
)

// A cost is what some calls took: objects and bytes per call, and CPU time in all.
type cost struct{ allocs, bytes, cpu float64 }

// A turn is how many objects an input costs that comes for the first time, and each
// time when it comes again: the base's and the candidate's.
type turn struct{ base, cand, baseAgain, candAgain float64 }

// freshness compares what inputs cost that the candidate has not seen before with
// what the same inputs cost when they come again.
func (d *drive) freshness(end time.Time) {
	f := d.f
	if !d.begin("fresh", 0) {
		return
	}
	n := d.fit(f.inputs, freshInputs, end)
	var base, cand, baseAgain, candAgain []cost
	var turns, early []turn // with and without filler
	var filler *input       // one that the candidate saves an object on when it comes again
	total := 0
	for pass := 0; pass < freshPasses && !d.over(); pass++ {
		set := d.distinct(n)
		if len(set) < 20 {
			break
		}
		total += len(set)
		k := min(freshTurns, len(set)/5)
		few, set := set[:k], set[k:]
		b, c := d.both(set, []int{len(set)}, pass%2 == 0)
		list, parts := inTurn(few, cmp.Or(filler, set[0]))
		tb, tc := d.both(list, parts, pass%2 == 0)
		if len(b) == 0 || len(c) == 0 || len(tb) < len(parts) || len(tc) < len(parts) {
			continue
		}
		base, cand = append(base, b[0]), append(cand, c[0])
		var sumBase, sumCand cost
		now := make([]turn, len(few))
		var filled []float64 // what the candidate saves on filler
		for i := range few {
			before, first, again := 4*i+1, 4*i+2, 4*i+3
			filled = append(filled, tb[before].allocs-tc[before].allocs)
			now[i] = turn{tb[first].allocs, tc[first].allocs, tb[again].allocs, tc[again].allocs}
			sumBase.cpu += tb[again].cpu
			sumCand.cpu += tc[again].cpu
		}
		if filler != nil && median(filled) >= oneObject {
			turns = append(turns, now...)
		} else {
			early, filler = append(early, now...), nil
			if i := slices.IndexFunc(now, turn.saves); i >= 0 {
				filler = few[i]
			}
		}
		baseAgain, candAgain = append(baseAgain, sumBase), append(candAgain, sumCand)
	}
	if len(turns) == 0 {
		turns = early
	}
	if len(turns) == 0 {
		f.notes["what inputs cost that were not seen before: too few can be generated, its calls take too long, or they are too large"] = true
		return
	}
	bytes := func(c cost) float64 { return c.bytes }
	t := typical(telling(turns))
	d.fresh = &freshRecord{
		Inputs:     total,
		BaseAllocs: t.base, CandAllocs: t.cand,
		BaseBytes: middle(base, bytes), CandBytes: middle(cand, bytes),
		RepeatBaseAllocs: t.baseAgain, RepeatCandAllocs: t.candAgain,
		CPURatio: ratios(base, cand), RepeatCPURatio: ratios(baseAgain, candAgain),
	}
}

// inTurn returns the calls of each input once and then again, and how many belong
// together. Before each comes another input, twice, which fills pools: one that panics
// may have left them empty.
func inTurn(inputs []*input, other *input) (list []*input, parts []int) {
	for _, in := range inputs {
		list = append(list, other, other)
		for range 1 + turnAgain {
			list = append(list, in)
		}
		parts = append(parts, 1, 1, 1, turnAgain)
	}
	return list, parts
}

// oneObject is what counts as one, as the runtime allocates between two calls, too.
const oneObject = 0.75

// saves reports whether the candidate saves an object when an input comes again.
func (t turn) saves() bool { return t.baseAgain-t.candAgain >= oneObject }

// telling returns the inputs on which the candidate saves an object when they come
// again, if they are a fifth or more: many calls end early, and save nothing.
func telling(turns []turn) []turn {
	saved := slices.DeleteFunc(slices.Clone(turns), func(t turn) bool { return !t.saves() })
	if 5*len(saved) >= len(turns) {
		return saved
	}
	return turns
}

// typical returns the medians: a single call may be charged for what the runtime allocates.
func typical(turns []turn) turn {
	of := func(part func(turn) float64) float64 {
		xs := make([]float64, len(turns))
		for i, t := range turns {
			xs[i] = part(t)
		}
		return median(xs)
	}
	return turn{
		of(func(t turn) float64 { return t.base }), of(func(t turn) float64 { return t.cand }),
		of(func(t turn) float64 { return t.baseAgain }), of(func(t turn) float64 { return t.candAgain }),
	}
}

func inputBytes(in *input) int {
	c := newCopier(false)
	if _, err := c.copy(in.args); err != nil {
		return maxBytes
	}
	return c.bytes
}

func middle(list []cost, of func(cost) float64) float64 {
	xs := make([]float64, len(list))
	for i, c := range list {
		xs[i] = of(c)
	}
	return median(xs)
}

func ratios(base, cand []cost) float64 {
	var xs []float64
	for i := range base {
		if base[i].cpu > 0 {
			xs = append(xs, cand[i].cpu/base[i].cpu)
		}
	}
	return median(xs)
}

func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Sorted(slices.Values(xs))
	return (xs[(len(xs)-1)/2] + xs[len(xs)/2]) / 2
}

// both runs one pass on both sides.
func (d *drive) both(list []*input, parts []int, baseFirst bool) (b, c []cost) {
	if baseFirst {
		b = d.pass(list, parts, baseOf)
		return b, d.pass(list, parts, candOf)
	}
	c = d.pass(list, parts, candOf)
	return d.pass(list, parts, baseOf), c
}

// pass calls one side with each input, on one receiver per type, and returns what
// each part of the list cost: parts are how many calls they have. The copies are made
// before, and the collector rests.
func (d *drive) pass(list []*input, parts []int, side func(*input) arm) []cost {
	args := make([][]any, 0, len(list))
	var recv any
	for _, in := range list {
		one, err := duplicate(in.args)
		if err != nil {
			one = nil
		}
		replaceFuncs(one, d.f.Receiver)
		if d.f.Receiver && one != nil {
			if recv != nil && sameReceiver(recv, in) {
				one[0] = recv
			}
			recv = one[0]
		}
		args = append(args, one)
	}
	costs := make([]cost, 0, len(parts))
	runtime.GC()
	defer restCollector()()
	o := call(func([]any) []any {
		at := 0
		for _, n := range parts {
			costs = append(costs, d.part(list[at:at+n], args[at:at+n], side))
			at += n
		}
		return nil
	}, nil, deadline+time.Duration(len(list))*deadline/20)
	if o.hung {
		d.hang(false)
		return nil
	}
	return costs
}

// part calls one side with each input and measures that.
func (d *drive) part(list []*input, args [][]any, side func(*input) arm) (c cost) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cpuTime()
	for i, in := range list {
		if args[i] != nil {
			var o outcome
			run(side(in), args[i], &o)
		}
	}
	c.cpu = float64(cpuTime() - start)
	runtime.ReadMemStats(&after)
	c.allocs = float64(after.Mallocs-before.Mallocs) / float64(len(list))
	c.bytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(len(list))
	return c
}
