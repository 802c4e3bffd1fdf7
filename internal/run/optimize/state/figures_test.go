package state

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// The costs of a line are those of the target's resource in its benchmark, of
// all stacks that have their home on the line.
func TestLineCosts(t *testing.T) {
	bm := model.Benchmark{Pkg: "m", Name: "BenchmarkX"}
	at := func(line int) model.Pos { return model.Pos{File: "m.go", Line: line} }
	cost := func(line int, share float64) model.Cost {
		return model.Cost{Stack: []model.Frame{{Func: "runtime.newobject"}, {Func: "m.F", File: "m.go", Line: line, Module: true}}, Home: 1, Share: share, PerOp: 10 * share}
	}
	v := new(Module).New("base")
	target := model.Target{Benchmark: bm, Resource: model.Allocs, At: at(4), Share: 0.5, PerOp: 5}
	// Without profiles the target speaks for its line.
	if got := v.LineCosts(target); got[at(4)].Share != 0.5 || len(got) != 1 {
		t.Errorf("without profiles: %v", got)
	}
	v.costs[bm] = costs{
		allocs: []model.Cost{cost(4, 0.2), cost(4, 0.3), cost(6, 0.1), cost(40, 0.4), {Home: -1, Share: 0.1}},
		cpu:    []model.Cost{cost(5, 1)},
	}
	want := map[model.Pos]model.Cost{at(4): {Share: 0.5, PerOp: 5}, at(6): {Share: 0.1, PerOp: 1}, at(40): {Share: 0.4, PerOp: 4}}
	if d := cmp.Diff(want, v.LineCosts(target)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
