package rank

import (
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// A claimed is a line of one benchmark that targets stand on.
type claimed struct {
	bm model.Benchmark
	at model.Pos
}

// A claim is what can be gained on a line, all of its targets together.
type claim struct {
	test           bool    // no line of the module: nothing is changed there
	cpu            float64 // share of CPU time, with the allocator's and the collector's part, or of time spent waiting
	objects, bytes float64 // shares of what is allocated
}

// allocWeight is how much of the CPU time is as good as all objects and bytes:
// fewer of them are a gain of their own, and one that is measured exactly, but
// most of it shows in the CPU time already.
const allocWeight = 0.3

func (c claim) gain() float64 { return c.cpu + allocWeight*(c.objects+c.bytes)/2 }

// order sorts targets: first each line's best, those lines first on which most
// can be gained, then what else there is to say of these lines, and lines of
// test files last. Else the several allocations of one line would hide the
// next line.
func (in Input) order(targets []model.Target) {
	claims := in.claims(targets)
	slices.SortStableFunc(targets, func(a, b model.Target) int {
		x, y := claims[claimed{a.Benchmark, a.At}], claims[claimed{b.Benchmark, b.At}]
		return cmp.Or(compareClaims(x, y), worth(a, b))
	})
	ranks, lines := make(map[model.Benchmark]int), make(map[claimed]int)
	var best, further, tests []model.Target
	for _, t := range targets {
		key := claimed{t.Benchmark, t.At}
		to := &further
		if lines[key] == 0 {
			ranks[t.Benchmark]++
			lines[key] = ranks[t.Benchmark]
			to = &best
		}
		if claims[key].test {
			to = &tests
		}
		t.Rank = lines[key]
		*to = append(*to, t)
	}
	slices.SortStableFunc(further, worth)
	copy(targets, slices.Concat(best, further, tests))
}

func compareClaims(x, y claim) int {
	switch {
	case x.test != y.test && y.test:
		return -1
	case x.test != y.test:
		return 1
	}
	return cmp.Compare(y.gain(), x.gain())
}

// claims adds up by line. The CPU time of a line has that of its allocations
// in it, but for the collector's.
func (in Input) claims(targets []model.Target) map[claimed]claim {
	out := make(map[claimed]claim)
	own := make(map[model.Benchmark]map[model.Pos]*spot)
	for bm, costs := range in.CPU {
		own[bm] = spots(costs)
	}
	bytes := make(map[model.Benchmark]float64)
	for bm, costs := range in.Allocs {
		for _, c := range costs {
			bytes[bm] += c.Bytes
		}
	}
	for _, t := range targets {
		key := claimed{t.Benchmark, t.At}
		c, seen := out[key]
		s := own[t.Benchmark][t.At]
		if s != nil && !seen {
			c.cpu = s.total.Share
		}
		switch {
		case t.Resource == model.CPU:
			c.cpu = max(c.cpu, t.CPUShare)
		case t.Resource == model.Mutex:
			c.cpu = max(c.cpu, t.Share)
		case s == nil: // no sample hit it, or it was moved here
			c.cpu += t.CPUShare
		default:
			c.cpu += in.GCShare[t.Benchmark] * t.Bytes / max(bytes[t.Benchmark], 1)
		}
		c.test = t.At.File == "" || isTest(t.At.File)
		if t.Resource == model.Allocs {
			c.objects += t.Share
			c.bytes += t.Bytes / max(bytes[t.Benchmark], 1)
		}
		out[key] = c
	}
	return out
}
