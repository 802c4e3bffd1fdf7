package profile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl/internal/model"
)

// A benchmark has what both sides have: CPU time per op as it was measured, and
// objects per op as the profiles have them, with what was counted where that is
// more.
func TestBenchmarkFlames(t *testing.T) {
	mem := func(objects int64) *Profile {
		return heap().add([]int64{objects, 16 * objects}, encode, body, runN, launch).read(t)
	}
	base := Taken{CPU: cpuProfile(t), Mem: mem(2000), MemOps: 1000, Stats: model.Stats{CPUNs: 40, Allocs: 3}}
	cand := Taken{CPU: cpuProfile(t), Mem: mem(1000), MemOps: 1000, Stats: model.Stats{CPUNs: 30, Allocs: 1}}
	type graph struct {
		Resource       string
		Total, Counted [2]float64
	}
	cpuGraph := graph{"cpu", [2]float64{40, 30}, [2]float64{}}
	for name, tt := range map[string]struct {
		change func(base, cand *Taken)
		want   []graph
	}{
		"short":       {func(_, _ *Taken) {}, []graph{cpuGraph, {"allocs", [2]float64{2, 1}, [2]float64{3, 1}}}},
		"whole":       {func(b, _ *Taken) { b.Stats.Allocs = 2.04 }, []graph{cpuGraph, {"allocs", [2]float64{2, 1}, [2]float64{}}}},
		"no objects":  {func(b, c *Taken) { b.Stats.Allocs, c.Stats.Allocs = 0, 0 }, []graph{cpuGraph}},
		"one side":    {func(_, c *Taken) { c.CPU = nil }, []graph{{"allocs", [2]float64{2, 1}, [2]float64{3, 1}}}},
		"no profiles": {func(b, c *Taken) { *b, *c = Taken{}, Taken{} }, nil},
	} {
		b, c := base, cand
		tt.change(&b, &c)
		flames, err := BenchmarkFlames(bench, b, c, FlameOptions{Nodes: 100})
		if err != nil {
			t.Fatal(err)
		}
		var got []graph
		for _, f := range flames {
			got = append(got, graph{f.Resource, f.Total, f.Counted})
			if f.Title != bench.String() || !f.Two || !f.PerOp {
				t.Errorf("%s: %q, two %v, per op %v", name, f.Title, f.Two, f.PerOp)
			}
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestNodesOf(t *testing.T) {
	for graphs, want := range map[int]int{0: flameNodes, 1: flameNodes, 6: 1500, 1000: leastNodes} {
		if got := NodesOf(graphs); got != want {
			t.Errorf("%d graphs: %d nodes each, want %d", graphs, got, want)
		}
	}
}
