package rank

import (
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A claimed is a statement that targets of one benchmark stand on, by the line
// that it begins on.
type claimed struct {
	bm model.Benchmark
	at model.Pos
}

// claimedBy returns what a target stands on.
func (r *reader) claimedBy(t model.Target) claimed {
	return claimed{t.Benchmark, r.statement(t.At)}
}

// A claim is what can be gained on a statement, all of its targets together.
type claim struct {
	test           bool    // no line of the module: nothing is changed there
	cpu            float64 // share of CPU time, with the allocator's and the collector's part, or of time spent waiting
	objects, bytes float64 // shares of what is allocated
	joint          float64 // that of all statements of the function with one cause, on the first of them
}

// What all objects, and all bytes, of a benchmark count for in CPU time. Most
// of what they cost shows in the CPU time already; but fewer of them are a gain
// of their own, which is measured exactly. Bytes count for more, since they are
// what brings on the collector, whose help and whose cache misses fall on other
// lines.
const (
	objectsWeight = 0.1
	bytesWeight   = 0.2
)

func (c claim) gain() float64 {
	return max(c.joint, c.cpu+objectsWeight*c.objects+bytesWeight*c.bytes)
}

// order sorts targets: first each statement's best, those statements first on
// which most can be gained, then what else there is to say of these, and lines
// of test files last. Else the several allocations of one line, or the lines of
// one composite literal, would hide the next line.
func (in Input) order(targets []model.Target, r *reader) {
	claims := in.claims(targets, r)
	in.join(targets, claims, r)
	sorted.By(targets, func(a, b model.Target) int {
		x, y := claims[r.claimedBy(a)], claims[r.claimedBy(b)]
		return cmp.Or(compareClaims(x, y), worth(a, b))
	})
	last, ranks := make(map[model.Benchmark]int), make(map[claimed]int)
	var best, further, tests []model.Target
	for _, t := range targets {
		key := r.claimedBy(t)
		to := &further
		if ranks[key] == 0 {
			last[t.Benchmark]++
			ranks[key] = last[t.Benchmark]
			to = &best
		}
		if claims[key].test {
			to = &tests
		}
		t.Rank = ranks[key]
		*to = append(*to, t)
	}
	sorted.By(further, worth)
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

// claims adds up by statement. The CPU time of its lines has that of their
// allocations in it, but for the collector's.
func (in Input) claims(targets []model.Target, r *reader) map[claimed]claim {
	out, bytes := make(map[claimed]claim), in.bytes()
	home := in.atHome(r)
	for _, t := range targets {
		key := r.claimedBy(t)
		c, seen := out[key]
		own, sampled := home[key]
		if !seen {
			c.cpu = own
		}
		switch {
		case t.Resource == model.CPU:
			c.cpu = max(c.cpu, behind(t, targets))
		case t.Resource == model.Mutex:
			c.cpu = max(c.cpu, t.Share)
		case !sampled: // or it was moved here
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

// bytes returns what each benchmark allocates.
func (in Input) bytes() map[model.Benchmark]float64 {
	out := make(map[model.Benchmark]float64)
	for bm, costs := range in.Allocs {
		for _, c := range costs {
			out[bm] += c.Bytes
		}
	}
	return out
}

// behind returns the share of CPU time that a target counts for. A line whose calls cost
// comes no earlier than the lines below them that are targets themselves: the whole
// of a recursion, or of a main loop, says less than they do.
func behind(t model.Target, targets []model.Target) float64 {
	share := t.CPUShare
	if t.Reason.Kind != model.ReasonLoop {
		return share
	}
	for _, u := range targets {
		below := u.Resource == model.CPU && u.Benchmark == t.Benchmark && u.Reason.Kind != model.ReasonLoop
		if below && slices.ContainsFunc(u.Stack, func(f model.Frame) bool { return f.Module && f.Pos() == t.At }) {
			share = min(share, u.CPUShare)
		}
	}
	return share
}

// atHome returns the share of CPU time that is at home in each statement.
func (in Input) atHome(r *reader) map[claimed]float64 {
	out := make(map[claimed]float64)
	for bm, costs := range in.CPU {
		for at, s := range spots(costs) {
			out[claimed{bm, r.statement(at)}] += s.total.Share
		}
	}
	return out
}
