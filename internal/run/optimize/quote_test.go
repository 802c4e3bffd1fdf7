package optimize

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/page/code"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
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

// An excerpt shows the costs of its lines, and no secret.
func TestExcerpt(t *testing.T) {
	bm := model.Benchmark{Pkg: "m", Name: "BenchmarkX"}
	at := func(line int) model.Pos { return model.Pos{File: "m.go", Line: line} }
	costs := map[model.Pos]model.Cost{at(4): {Share: 0.5, PerOp: 5}, at(6): {Share: 0.1, PerOp: 1}, at(40): {Share: 0.4, PerOp: 4}}
	v := new(state.Module).New("base")
	p := &page{scrub: scrub.New([]string{"API_KEY=hunter2hunter2hunter2"})}
	src := "1\n2\n3\n4 hunter2hunter2hunter2\n5\n6\n7\n8"
	target := model.Target{Benchmark: bm, Resource: model.Allocs, At: at(4), Share: 0.5, PerOp: 5}
	e, ok := p.excerpt(v, costs, target, []int{4}, src)
	if !ok {
		t.Fatal("no excerpt")
	}
	want := map[int]code.LineShare{4: code.NewLineShare(model.Allocs, 0.5, 5), 6: code.NewLineShare(model.Allocs, 0.1, 1)}
	if d := cmp.Diff(want, e.Costs); d != "" {
		t.Errorf("costs differ (-want +got):\n%s", d)
	}
	if e.First != 1 || len(e.Lines) != 7 || e.Of != "allocs in X" {
		t.Errorf("lines from %d, %d of them, shares of %q", e.First, len(e.Lines), e.Of)
	}
	if strings.Contains(strings.Join(e.Lines, ""), "hunter2") {
		t.Errorf("a secret is shown: %q", e.Lines)
	}
	if _, ok := p.excerpt(v, costs, target, []int{9}, src); ok {
		t.Error("an excerpt beyond the end of its file")
	}
}
