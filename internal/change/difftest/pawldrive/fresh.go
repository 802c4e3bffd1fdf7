package pawldrive

import (
	"runtime"
	"slices"
	"time"
)

const (
	freshPasses = 5
	freshInputs = 200 // per pass, at most
)

// A cost is what one pass took.
type cost struct{ allocs, bytes, cpu float64 }

// freshness compares what inputs cost that nobody has seen before with what one
// input costs again and again.
func (d *drive) freshness(end time.Time) {
	f := d.f
	if !d.begin("fresh", 0) {
		return
	}
	n := d.fit(f.inputs, freshInputs, end)
	var base, cand, repBase, repCand []cost
	total := 0
	for pass := 0; pass < freshPasses && !d.over(); pass++ {
		set := d.distinct(n)
		if len(set) < 20 {
			break
		}
		total += len(set)
		again := make([]*input, len(set))
		for i := range again {
			again[i] = set[0]
		}
		for _, same := range []bool{false, true} {
			list := set
			if same {
				list = again
			}
			b, c := d.both(list, pass%2 == 0)
			if same {
				repBase, repCand = append(repBase, b), append(repCand, c)
			} else {
				base, cand = append(base, b), append(cand, c)
			}
		}
	}
	if total == 0 {
		f.notes["what inputs cost that were not seen before: too few can be generated, its calls take too long, or they are too large"] = true
		return
	}
	allocs, bytes := func(c cost) float64 { return c.allocs }, func(c cost) float64 { return c.bytes }
	d.fresh = &freshRecord{
		Inputs:     total,
		BaseAllocs: middle(base, allocs), CandAllocs: middle(cand, allocs),
		BaseBytes: middle(base, bytes), CandBytes: middle(cand, bytes),
		RepeatBaseAllocs: middle(repBase, allocs), RepeatCandAllocs: middle(repCand, allocs),
		CPURatio: ratios(base, cand), RepeatCPURatio: ratios(repBase, repCand),
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
func (d *drive) both(list []*input, baseFirst bool) (b, c cost) {
	if baseFirst {
		b = d.pass(list, baseOf)
		return b, d.pass(list, candOf)
	}
	c = d.pass(list, candOf)
	return d.pass(list, baseOf), c
}

// pass calls one side with each input, on one receiver per type. The copies are
// made before, and the collector rests.
func (d *drive) pass(list []*input, side func(*input) arm) (c cost) {
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
	runtime.GC()
	defer restCollector()()
	o := call(func([]any) []any {
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
		return nil
	}, nil, deadline+time.Duration(len(list))*deadline/20)
	if o.hung {
		d.hang(false)
		return cost{}
	}
	return c
}
