package rank

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// Notes is where the compiler's notes come from.
type Notes interface {
	// At returns the notes on a line and the chain of calls that it was
	// inlined through, innermost first.
	At(chain []model.Pos) []model.Note
	// Inside returns the notes on the calls that were inlined there.
	Inside(chain []model.Pos) []model.Note
}

// An Input is what targets are found from.
type Input struct {
	Allocs map[model.Benchmark][]model.Cost // objects, with their bytes
	CPU    map[model.Benchmark][]model.Cost // may be missing: then no CPUShare and no hot lines
	// Locks is what goroutines wait for mutexes, with shares of their time, and
	// Scaling how the benchmark does with more processors; both may be missing.
	Locks   map[model.Benchmark][]model.Cost
	Scaling map[model.Benchmark]model.Scaling
	// GCShare is the part of CPU time that the garbage collector takes in the
	// background.
	GCShare map[model.Benchmark]float64
	Stats   map[model.Benchmark]model.Stats // as measured, apart from profiles
	// Unexplained is what the profiles could not give a line; it is handed on,
	// and its allocations count in the sum.
	Unexplained []model.Unexplained
	Notes       Notes                             // nil: reasons come from the syntax alone
	Source      func(file string) ([]byte, error) // by the name that frames have; nil: none is read
}

const (
	sumTolerance = 0.05 // objects per op that targets may miss of the measured count
	// A line does not allocate more in an op than the whole op was counted to: such
	// objects were allocated before the timed loop, which ran a few times only. The
	// rest of the factor is for what varies from run to run.
	beyond   = 1.5
	hotShare = 0.02 // of CPU time, below which a line is not hot
	hotLines = 5
)

// Targets returns the targets of all benchmarks, those worth most first, and
// what no line accounts for. For each benchmark the targets' objects and the
// unexplained ones add up to its measured allocs/op.
func Targets(in Input) ([]model.Target, []model.Unexplained) {
	r := &reader{source: in.Source, files: make(map[string]*syntax)}
	var targets []model.Target
	lost := slices.Clone(in.Unexplained)
	for _, bm := range benchmarks(in) {
		ts := in.allocTargets(bm, r)
		if u, ok := in.gap(bm, ts); ok {
			lost = append(lost, u)
		}
		targets = append(targets, ts...)
		targets = append(targets, in.hotTargets(bm, r)...)
		targets = append(targets, in.lockTargets(bm)...)
		if t, ok := in.callTarget(bm, r); ok {
			targets = append(targets, t)
		}
	}
	in.order(targets, r)
	for i := range targets {
		targets[i].ID = fmt.Sprintf("T%d", i+1)
	}
	return targets, lost
}

// worth orders by what can be saved: CPU time first, then the share.
func worth(a, b model.Target) int {
	return cmp.Or(
		cmp.Compare(b.CPUShare, a.CPUShare),
		cmp.Compare(b.Share, a.Share),
		cmp.Compare(a.At.File, b.At.File),
		cmp.Compare(a.At.Line, b.At.Line),
		cmp.Compare(a.Benchmark.Pkg, b.Benchmark.Pkg),
		cmp.Compare(a.Benchmark.Name, b.Benchmark.Name),
	)
}

func benchmarks(in Input) []model.Benchmark {
	all := make(map[model.Benchmark]bool)
	for bm := range in.Allocs {
		all[bm] = true
	}
	for bm := range in.CPU {
		all[bm] = true
	}
	for bm := range in.Stats {
		all[bm] = true
	}
	for bm := range in.Locks {
		all[bm] = true
	}
	return sorted.Of(maps.Keys(all), func(a, b model.Benchmark) int {
		return cmp.Or(cmp.Compare(a.Pkg, b.Pkg), cmp.Compare(a.Name, b.Name))
	})
}

func (in Input) allocTargets(bm model.Benchmark, r *reader) []model.Target {
	objects, bytes := in.Stats[bm].Allocs, 0.0
	merged := slices.DeleteFunc(mergeWays(in.Allocs[bm]), func(c model.Cost) bool { return objects > 0 && c.PerOp > beyond*objects })
	for _, c := range merged {
		bytes += c.Bytes
	}
	if objects <= 0 {
		for _, c := range merged {
			objects += c.PerOp
		}
	}
	alloc, boxing := allocTime(in.CPU[bm])
	var out []model.Target
	for _, c := range merged {
		t := target(c)
		if objects > 0 {
			t.Share = c.PerOp / objects
		}
		t.Ceiling = min(1, t.Share)
		key := wayKey(c.Stack)
		t.CPUShare = alloc[key]
		if bytes > 0 {
			t.CPUShare += in.GCShare[bm] * c.Bytes / bytes
		}
		t.CPUShare = min(1, t.CPUShare)
		if in.Notes != nil {
			chain := leafChain(c.Stack)
			t.Notes = in.Notes.At(chain)
			if len(escapes(t.Notes)) == 0 {
				t.Notes = append(t.Notes, escapes(in.Notes.Inside(chain))...)
			}
		}
		t.Reason = r.explain(t, boxing[key] > alloc[key]/2)
		if at, ok := moved(t.Notes); ok && isTest(t.At.File) {
			t.At, t.Func = at, r.funcName(at)
		}
		r.written(&t)
		out = append(out, t)
	}
	shareBlocks(out)
	return out
}

// shareBlocks gives the targets of a function whose objects one package makes, outside the module, or append, the size
// of the largest: what several lines write to grows in each of them.
func shareBlocks(targets []model.Target) {
	type maker struct{ fn, by string }
	of := func(t model.Target) maker {
		if t.Leaf.Module {
			return maker{t.Func, string(t.Reason.Kind)}
		}
		pkg, _, _ := strings.Cut(t.Leaf.Func, ".")
		return maker{t.Func, pkg}
	}
	largest := map[maker]int64{}
	for _, t := range targets {
		largest[of(t)] = max(largest[of(t)], t.Block)
	}
	for i, t := range targets {
		if !t.Leaf.Module || t.Reason.Kind == model.ReasonAppend {
			targets[i].Block = largest[of(t)]
		}
	}
}

func target(c model.Cost) model.Target {
	t := model.Target{
		Benchmark: c.Benchmark, Resource: c.Resource, Stack: c.Stack,
		PerOp: c.PerOp, Bytes: c.Bytes, Block: c.Block, Share: c.Share,
	}
	if len(c.Stack) > 0 {
		t.Leaf = c.Stack[0]
	}
	if f, ok := c.HomeFrame(); ok {
		t.At, t.Func = f.Pos(), f.Func
	}
	return t
}

// mergeWays adds up the costs that are one way to one allocation, and keeps
// the stack of the greatest.
func mergeWays(costs []model.Cost) []model.Cost {
	index := make(map[string]int)
	var out []model.Cost
	var most []float64
	for _, c := range costs {
		key := wayKey(c.Stack)
		i, ok := index[key]
		if !ok {
			index[key] = len(out)
			out, most = append(out, c), append(most, c.PerOp)
			continue
		}
		if c.PerOp > most[i] {
			out[i].Stack, out[i].Home, most[i] = c.Stack, c.Home, c.PerOp
		}
		if c.Bytes > out[i].Bytes {
			out[i].Block = c.Block
		}
		out[i].PerOp += c.PerOp
		out[i].Bytes += c.Bytes
		out[i].Share += c.Share
	}
	return out
}

// wayKey is the leaf and the module's frames of a stack, or the frames of its
// tests where it has no others.
func wayKey(stack []model.Frame) string {
	inModule := slices.ContainsFunc(stack, func(f model.Frame) bool { return f.Module })
	var b strings.Builder
	for i, f := range stack {
		if i == 0 || f.Module || !inModule && isTest(f.File) {
			fmt.Fprintf(&b, "%s %s:%d\n", f.Func, f.File, f.Line)
		}
	}
	return b.String()
}

// leafChain is the chain of inlined calls around the innermost frame.
func leafChain(stack []model.Frame) []model.Pos {
	var chain []model.Pos
	for _, f := range stack {
		chain = append(chain, f.Pos())
		if !f.Inline {
			break
		}
	}
	return chain
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// gap compares the sum of a benchmark's targets with what was measured.
func (in Input) gap(bm model.Benchmark, ts []model.Target) (model.Unexplained, bool) {
	stats, ok := in.Stats[bm]
	if !ok || len(in.Allocs[bm]) == 0 && stats.Allocs == 0 {
		return model.Unexplained{}, false
	}
	gap := stats.Allocs
	for _, t := range ts {
		gap -= t.PerOp
	}
	for _, u := range in.Unexplained {
		if u.Benchmark == bm && u.Resource == model.Allocs {
			gap -= u.PerOp
		}
	}
	u := model.Unexplained{Benchmark: bm, Resource: model.Allocs, PerOp: gap, Kind: model.ReasonUnknown}
	switch {
	case gap > sumTolerance:
		u.Text = fmt.Sprintf("%.2f of %.2f objects per op are on no line of the profile", gap, stats.Allocs)
	case gap < -sumTolerance:
		u.Text = fmt.Sprintf("the profile has %.2f objects per op more than the %.2f measured: set-up in the benchmark function", -gap, stats.Allocs)
	default:
		return u, false
	}
	return u, true
}
