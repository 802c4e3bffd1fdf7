package profile

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

var errNegative = errors.New("the profile has negative values: it is the difference of two profiles; give one of them")

// Types returns the names of what samples have values of: "samples" and "cpu"
// for a CPU profile of Go, "alloc_objects" and three more for a heap profile.
func (p *Profile) Types() []string {
	var out []string
	for _, t := range p.types {
		out = append(out, t.name)
	}
	return out
}

// Seconds returns how long the profile was taken for, the sum over merged
// ones; 0 where it does not say.
func (p *Profile) Seconds() float64 { return float64(p.duration) / 1e9 }

// Functions returns each function that a stack shows once, with its file and
// without a line, in the order of first appearance.
func (p *Profile) Functions() []model.Frame {
	var out []model.Frame
	seen := map[model.Frame]bool{}
	for _, f := range p.frames {
		if f := (model.Frame{Func: f.Func, File: f.File}); !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	return out
}

// A Part is how much of a profile some of its stacks hold. A profile is a
// sample of what ran, so its share is an estimate with an interval.
type Part struct {
	Share  float64 // of the profile's total
	Lo, Hi float64 // the interval of Share, at 95 %
	In     int64   // samples in the part
	Of     int64   // samples in all
}

// Part returns how much of the values of type typ belongs to the stacks for
// which match holds. Frames are innermost first, inlined calls expanded, with
// files as the profile has them. A stack counts once, however often a function
// recurs in it.
//
// The interval is E. Wilson's, "Probable inference, the law of succession, and
// statistical inference", JASA 22 (1927), which holds for shares near nothing
// and for none at all, at the number of samples that would give an unweighted
// share its variance: allocations of unequal size tell less than their number.
// Samples are taken for independent. Those of a burst are not: then it is too
// narrow.
func (p *Profile) Part(typ string, match func(stack []model.Frame) bool) (Part, error) {
	return p.part(typ, match, func([]model.Frame) origin { return benchmark })
}

// PartOf is Part for what belongs to one benchmark, of the profile of its own
// process: see Costs.
func (p *Profile) PartOf(bm model.Benchmark, typ string, match func(stack []model.Frame) bool) (Part, error) {
	return p.part(typ, match, func(stack []model.Frame) origin { return originOf(stack, bm) })
}

func (p *Profile) part(typ string, match func([]model.Frame) bool, from func([]model.Frame) origin) (Part, error) {
	var by [scheduler + 1]tally
	err := p.eachStack(typ, func(stack []model.Frame, value, count float64) {
		by[from(stack)].add(value, count, match(stack))
	})
	if err != nil {
		return Part{}, err
	}
	// As in Costs: the first run counts only where there is no other, and what
	// belongs to no benchmark never does.
	t := by[parallel]
	if t.all == 0 {
		t.join(by[benchmark])
	}
	if t.all == 0 {
		t.join(by[first])
	}
	t.join(by[started])
	t.join(by[collector])
	t.join(by[scheduler])
	return t.part(), nil
}

// A tally adds up samples. A row of a profile holds several samples of equal
// stacks; each is taken to have the same weight.
type tally struct {
	all, in           float64 // values
	count, countIn    float64 // samples
	squares, squareIn float64 // weights of single samples, squared
}

func (t *tally) add(value, count float64, in bool) {
	count = max(count, 1)
	square := value * value / count
	t.all, t.count, t.squares = t.all+value, t.count+count, t.squares+square
	if in {
		t.in, t.countIn, t.squareIn = t.in+value, t.countIn+count, t.squareIn+square
	}
}

func (t *tally) join(u tally) {
	t.all, t.count, t.squares = t.all+u.all, t.count+u.count, t.squares+u.squares
	t.in, t.countIn, t.squareIn = t.in+u.in, t.countIn+u.countIn, t.squareIn+u.squareIn
}

func (t *tally) part() Part {
	if t.all == 0 {
		return Part{Hi: 1}
	}
	share := t.in / t.all
	n := t.all * t.all / t.squares // of equal weights with this variance
	// The variance of a ratio of sums, to first order.
	if v := (t.squareIn*(1-2*share) + share*share*t.squares) / (t.all * t.all); share > 0 && share < 1 && v > 0 {
		n = min(t.count, share*(1-share)/v)
	}
	lo, hi := wilson(share, n)
	return Part{Share: share, Lo: lo, Hi: hi, In: int64(math.Round(t.countIn)), Of: int64(math.Round(t.count))}
}

// wilson returns the interval of a share that was seen in n samples, at 95 %.
func wilson(share, n float64) (lo, hi float64) {
	const z = 1.959964
	mid := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return max(0, min(share, mid-half)), min(1, max(share, mid+half))
}

// counter returns how to tell how many samples a row stands for: CPU profiles
// say it, as do mutex and block profiles, where it is waits; in heap profiles, values are scaled up from what was sampled, which
// is undone here (runtime.MemProfileRate says how it was sampled).
func (p *Profile) counter(typ string, col int) func([]int64) float64 {
	types := p.Types()
	objects, space := slices.Index(types, "alloc_objects"), slices.Index(types, "alloc_space")
	if typ == "inuse_objects" || typ == "inuse_space" {
		objects, space = slices.Index(types, "inuse_objects"), slices.Index(types, "inuse_space")
	}
	rate := float64(p.period)
	if strings.HasSuffix(typ, "_space") || strings.HasSuffix(typ, "_objects") {
		return func(s []int64) float64 {
			if objects < 0 || space < 0 || s[objects] <= 0 || rate <= 1 {
				return float64(s[max(objects, 0)])
			}
			n := float64(s[objects])
			return n * -math.Expm1(-float64(s[space])/n/rate)
		}
	}
	for _, count := range []string{"samples", "contentions"} {
		if i := slices.Index(types, count); i >= 0 {
			return func(s []int64) float64 { return float64(s[i]) }
		}
	}
	return func(s []int64) float64 { return float64(s[col]) / max(rate, 1) }
}

// exact reports whether values of a type are counts of all there was, and no
// samples: goroutines, and allocations that were recorded one by one.
func (p *Profile) exact(typ string) bool {
	heap := strings.HasSuffix(typ, "_space") || strings.HasSuffix(typ, "_objects")
	return heap && p.period == 1 || strings.HasPrefix(typ, "goroutine")
}

// Traits are what of a profile's samples limits what it can say, each as a
// share of the samples' values.
type Traits struct {
	Nameless float64 // without any function name: a stripped program, or perf's raw addresses
	Cut      float64 // deeper than the profiler looks: the outermost calls are missing
	Bench    float64 // below testing.(*B).runN: of a benchmark
}

// cutAt is how many levels of calls Go's CPU profiler records. The heap's are
// as many, and 128 from Go 1.23 on; those that are deeper than 64 were not cut
// there.
const cutAt = 64

// Traits returns what limits the samples of type typ.
func (p *Profile) Traits(typ string) (Traits, error) {
	named := p.marks(func(f model.Frame) bool { return f.Func != "" })
	bench := p.marks(func(f model.Frame) bool { return f.Func == "testing.(*B).runN" })
	var all, nameless, below, cut float64
	err := p.eachRow(typ, func(row int, value, _ float64) {
		all += value
		if !p.marked(row, named) {
			nameless += value
		}
		if p.marked(row, bench) {
			below += value
		}
		if n := len(p.stacks[p.of[row]]); n == cutAt || n == 2*cutAt {
			cut += value
		}
	})
	all = max(all, 1)
	return Traits{Nameless: nameless / all, Cut: cut / all, Bench: below / all}, err
}
