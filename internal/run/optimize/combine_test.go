package optimize

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func part(id, bench, file string, start, end int, share float64) model.Change {
	return model.Change{
		ID: id, Title: id, Class: "B", Hypothesis: id + " falls", Targets: []model.Target{{Benchmark: model.Benchmark{Name: bench}, Share: share}},
		Edits: []model.Edit{{File: file, Start: start, End: end, New: id}},
	}
}

func TestPairs(t *testing.T) {
	parts := []model.Change{
		part("a", "X", "f.go", 10, 20, 0.1), part("b", "X", "f.go", 15, 30, 0.2), // overlap
		part("c", "X", "f.go", 40, 50, 0.3), part("d", "Y", "g.go", 0, 5, 0.9),
	}
	var got []string
	for _, c := range combine(parts, func(c model.Change) bool { return true }) {
		got = append(got, c.Title)
		if c.Kind != KindCombination || len(c.Edits) != 2 || len(c.Targets) != 2 {
			t.Errorf("%+v", c)
		}
	}
	if d := cmp.Diff([]string{"b, and c", "a, and c"}, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if both(parts[0], parts[2]).ID != both(parts[2], parts[0]).ID {
		t.Error("the order of the parts names another combination")
	}
	if n := len(combine(parts, func(model.Change) bool { return false })); n != 0 {
		t.Errorf("%d combinations that may not be tried", n)
	}
}

// Changes that do the same at several places of a function are one, where each saves something in the benchmark.
func TestSiblings(t *testing.T) {
	at := func(id, title, bench string, start int, saved float64) model.Change {
		c := part(id, bench, "f.go", start, start+5, 0.1)
		c.Kind, c.Title = "x", title
		c.Targets[0].Resource, c.Targets[0].PerOp = model.Allocs, saved
		return c
	}
	all := []model.Change{
		at("a", "do in F", "X", 10, 1), at("overlaps", "do in F", "X", 12, 1), at("b", "do in F", "X", 20, 2), at("elsewhere", "do in G", "X", 30, 1),
		at("c", "do in F", "X", 40, 1), at("other", "do in F", "Y", 50, 1), at("saves nothing", "do in F", "X", 60, 0), at("does not compile", "do in F", "X", 70, 1),
	}
	compiles := func(c model.Change) bool { return c.Edits[len(c.Edits)-1].New != "does not compile" }
	got, ok := sameElsewhere(all[0], all, compiles)
	if !ok || got.Title != "do in F, at 3 places" || got.Kind != "x" || got.MustSave != 3 || len(got.Edits) != 3 || len(got.Targets) != 3 || got.ID == "a" {
		t.Errorf("%+v", got)
	}
	if alone, ok := sameElsewhere(all[3], all, compiles); ok {
		t.Errorf("%+v", alone)
	}
	if none, ok := sameElsewhere(all[6], all, compiles); ok {
		t.Errorf("%+v", none)
	}
}

// Only what did nothing, and no harm, is a part of a combination.
func TestHarmless(t *testing.T) {
	bm := model.Benchmark{Name: "X"}
	none := []model.Verdict{{Benchmark: bm, Answer: model.NoEffect}}
	for _, tt := range []struct {
		name string
		a    model.Attempt
		want bool
	}{
		{"no effect", model.Attempt{Outcome: model.RolledBack, Verdicts: none, Checks: []model.Check{{Name: "race", Skipped: "none"}}}, true},
		{"kept", model.Attempt{Outcome: model.Kept, Verdicts: none}, false},
		{"never measured", model.Attempt{Outcome: model.RolledBack}, false},
		{"a check failed", model.Attempt{Outcome: model.RolledBack, Verdicts: none, Checks: []model.Check{{Name: "tests", Detail: "x"}}}, false},
		{"slower", model.Attempt{Outcome: model.RolledBack, Verdicts: []model.Verdict{{Answer: model.Slower}}}, false},
		{"slower on one link", model.Attempt{Outcome: model.RolledBack, Verdicts: []model.Verdict{{Answer: model.NoEffect, Lo: 0.1}}}, false},
		{"allocates more", model.Attempt{Outcome: model.RolledBack, Verdicts: none, Counts: []model.Exact{{Metric: "B/op", Before: 1, After: 9}}}, false},
		{"a combination", model.Attempt{Outcome: model.RolledBack, Verdicts: none, Change: model.Change{Kind: KindCombination}}, false},
	} {
		if got := harmless(tt.a); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
