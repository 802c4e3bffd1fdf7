package state

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// Of what a change has touched nothing is carried, and all else stands where the lines are now.
func TestCarry(t *testing.T) {
	was := map[string][]byte{"m.go": []byte("1\n2\n3\n4\n5\n")}
	edits := []model.Edit{{File: "m.go", Start: 2, End: 4, New: "2\n2\n2\n"}, {File: "other.go", Start: 0, End: 0, New: "\n"}} // line 2 becomes three
	frame := func(file string, line int) model.Frame {
		return model.Frame{File: file, Line: line, Module: true}
	}
	cost := func(frames ...model.Frame) model.Cost {
		return model.Cost{Stack: append([]model.Frame{{Func: "runtime.newobject"}}, frames...), Home: 1}
	}
	runs, other := model.Benchmark{Name: "BenchmarkRuns"}, model.Benchmark{Name: "BenchmarkOther"}
	before, after := new(Module).New("base"), new(Module).New("c1")
	before.costs[runs] = costs{
		allocs: []model.Cost{cost(frame("m.go", 1)), cost(frame("m.go", 2)), cost(frame("m.go", 3)), cost(frame("n.go", 3), frame("m.go", 2))},
		cpu:    []model.Cost{cost(frame("m.go", 4)), {Home: -1}},
	}
	before.costs[other] = costs{cpu: []model.Cost{cost(frame("n.go", 1))}}
	files := map[string][]byte{"m.go": []byte(strings.Repeat("x\n", 7))}
	after.Follow(before, files)
	after.Carry(before, was, edits)
	want := map[string][]model.Cost{
		"allocs": {cost(frame("m.go", 1)), cost(frame("m.go", 5)), cost(frame("n.go", 3), frame("m.go", 2))},
		"cpu":    {cost(frame("m.go", 6)), {Home: -1}},
	}
	got := map[string][]model.Cost{"allocs": after.costs[runs].allocs, "cpu": after.costs[runs].cpu}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if before.costs[runs].allocs[2].Stack[1].Line != 3 {
		t.Error("the costs of the version before are changed")
	}
	if !after.Stale() || after.costs[other].carried || after.Pictured(runs) {
		t.Error("it is not said what is carried")
	}
	after.Forget()
	if _, ok := after.costs[runs]; ok || after.Stale() || len(after.costs) != 1 {
		t.Errorf("after forgetting there are %d", len(after.costs))
	}
}

// What there was no time for is tried once more.
func TestStale(t *testing.T) {
	v, bm := new(Module).New("base"), model.Benchmark{Name: "BenchmarkF"}
	v.costs[bm] = costs{late: true}
	if !v.Stale() || v.Unprofiled() != 1 {
		t.Error("it is not tried again")
	}
	v.Forget()
	if len(v.costs) > 0 {
		t.Error("it is not forgotten")
	}
	v.costs[bm] = costs{late: true}
	if v.Stale() {
		t.Error("it is tried for ever")
	}
}
