package profile

import (
	"errors"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Taken is what was measured and profiled of a benchmark on one version.
type Taken struct {
	CPU, Mem *Profile // nil where it was not taken
	MemOps   int64    // iterations that Mem is of
	Stats    model.Stats
}

// SideBySide takes a CPU and an allocation profile at a time: what they say are
// shares and counts, which do not suffer from company. The functions return
// profiles, and the iterations that the second is of; each is called once, and
// both have returned when SideBySide does.
func SideBySide(cpu func() (*Profile, error), mem func() (*Profile, int64, error)) (Taken, error) {
	var t Taken
	done := make(chan error)
	go func() {
		var err error
		t.CPU, err = cpu()
		done <- err
	}()
	var err error
	t.Mem, t.MemOps, err = mem()
	return t, errors.Join(<-done, err)
}

// NoFlames warns that a benchmark has no flame graphs, and why.
func NoFlames(bm model.Benchmark, err error) model.Warning {
	return model.Warning{Seen: "no flame graphs of " + bm.String() + " before and after", Cause: err.Error(), Try: "nothing for the figures: they do not rest on profiles"}
}

// BenchmarkFlames returns what a benchmark does on two versions as flame graphs:
// CPU time per op, and objects per op where it allocates. A graph whose profile
// one side lacks is left out. Of o Module and Nodes are taken, the rest follows
// from the benchmark.
func BenchmarkFlames(bm model.Benchmark, base, candidate Taken, o FlameOptions) ([]model.Flame, error) {
	o.Title, o.Benchmark = bm.String(), &bm
	var out []model.Flame
	if base.CPU != nil && candidate.CPU != nil {
		cpu := o
		cpu.Type, cpu.PerOp = "cpu", [2]float64{base.Stats.CPUNs, candidate.Stats.CPUNs}
		f, err := NewFlame(base.CPU, candidate.CPU, cpu)
		if err != nil {
			return nil, err
		}
		out = append(out, *f)
	}
	if base.Mem != nil && candidate.Mem != nil && base.Stats.Allocs+candidate.Stats.Allocs > 0 {
		mem := o
		// Not shares of allocs/op: which tiny objects a profile leaves out differs.
		mem.Type, mem.Ops = "alloc_objects", [2]float64{float64(base.MemOps), float64(candidate.MemOps)}
		f, err := NewFlame(base.Mem, candidate.Mem, mem)
		if err != nil {
			return nil, err
		}
		if counted := [2]float64{base.Stats.Allocs, candidate.Stats.Allocs}; f.Total[0] < counted[0]-TinyGap || f.Total[1] < counted[1]-TinyGap {
			f.Counted = counted
		}
		out = append(out, *f)
	}
	return out, nil
}

// TinyGap is by how many objects per op an allocation profile may fall short of
// what was counted: more is a gap, mostly of objects below 16 bytes.
const TinyGap = 0.05

// A page has room for so many nodes of all its flame graphs together, and a
// graph with fewer than the least shows too little.
const (
	pageNodes  = 9000
	leastNodes = 250
)

// NodesOf returns how many nodes each of so many flame graphs of one page may
// have.
func NodesOf(graphs int) int {
	return max(leastNodes, min(flameNodes, pageNodes/max(graphs, 1)))
}
