package loop

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
	"github.com/pawl-dev/pawl/internal/scrub"
)

func TestNear(t *testing.T) {
	want := [][]int{{3, 9, 16}, {24}, {90}}
	if d := cmp.Diff(want, near([]int{24, 3, 90, 9, 16, 3})); d != "" {
		t.Errorf("groups differ (-want +got):\n%s", d)
	}
	var long []int
	for n := range 100 {
		long = append(long, n+1)
	}
	for _, g := range near(long) {
		if len(g) > longExcerpt+1 {
			t.Errorf("a group of %d lines", len(g))
		}
	}
}

// The costs of an excerpt are those of the target's resource in its benchmark,
// of all stacks that have their home on the line.
func TestExcerpt(t *testing.T) {
	bm := model.Benchmark{Pkg: "m", Name: "BenchmarkX"}
	at := func(line int, share float64) model.Cost {
		return model.Cost{Stack: []model.Frame{{Func: "runtime.newobject"}, {Func: "m.F", File: "m.go", Line: line, Module: true}}, Home: 1, Share: share, PerOp: 10 * share}
	}
	v := &version{costs: map[model.Benchmark]costs{bm: {
		allocs: []model.Cost{at(4, 0.2), at(4, 0.3), at(6, 0.1), at(40, 0.4), {Home: -1, Share: 0.1}},
		cpu:    []model.Cost{at(5, 1)},
	}}}
	s := &Session{scrub: scrub.New([]string{"API_KEY=hunter2hunter2hunter2"})}
	src := "1\n2\n3\n4 hunter2hunter2hunter2\n5\n6\n7\n8"
	target := model.Target{Benchmark: bm, Resource: model.Allocs, At: model.Pos{File: "m.go", Line: 4}, Share: 0.5, PerOp: 5}
	e, ok := s.excerpt(v, target, []int{4}, src)
	if !ok {
		t.Fatal("no excerpt")
	}
	want := map[int]report.LineShare{4: report.NewLineShare(model.Allocs, 0.5, 5), 6: report.NewLineShare(model.Allocs, 0.1, 1)}
	if d := cmp.Diff(want, e.Costs); d != "" {
		t.Errorf("costs differ (-want +got):\n%s", d)
	}
	if e.First != 1 || len(e.Lines) != 7 || e.Of != "allocs in X" {
		t.Errorf("lines from %d, %d of them, shares of %q", e.First, len(e.Lines), e.Of)
	}
	if strings.Contains(strings.Join(e.Lines, ""), "hunter2") {
		t.Errorf("a secret is shown: %q", e.Lines)
	}
	// Without profiles the target speaks for its line; beyond the file there is nothing.
	if e, _ := s.excerpt(&version{}, target, []int{4}, src); e.Costs[4].Share != 0.5 {
		t.Errorf("without profiles: %v", e.Costs)
	}
	if _, ok := s.excerpt(v, target, []int{9}, src); ok {
		t.Error("an excerpt beyond the end of its file")
	}
}
