package optimize

import (
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
)

// What else there is to do on a statement is tried before the next statement,
// though its target comes later in the list.
func TestByRank(t *testing.T) {
	a, b := model.Benchmark{Name: "BenchmarkA"}, model.Benchmark{Name: "BenchmarkB"}
	targets := []model.Target{
		{ID: "T1", Benchmark: a, Rank: 1}, {ID: "T2", Benchmark: b, Rank: 1}, {ID: "T3", Benchmark: a, Rank: 2},
		{ID: "T4", Benchmark: b, Rank: 1}, {ID: "T5", Benchmark: a, Rank: 1},
	}
	var changes []model.Change
	for _, x := range targets[1:] {
		changes = append(changes, model.Change{ID: "for " + x.ID, Targets: []model.Target{x}})
	}
	byRank(changes, targets)
	var got []string
	for _, c := range changes {
		got = append(got, c.ID)
	}
	if want := []string{"for T5", "for T2", "for T4", "for T3"}; !slices.Equal(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
}

// A change that did nothing in one benchmark is offered again for another that runs more of it.
func TestElsewhere(t *testing.T) {
	end, parse := model.Benchmark{Name: "BenchmarkEnd"}, model.Benchmark{Name: "BenchmarkParse"}
	at := func(bm model.Benchmark, share float64) model.Target {
		return model.Target{Benchmark: bm, CPUShare: share}
	}
	refuted := model.Attempt{
		Outcome: model.RolledBack, Verdicts: []model.Verdict{{Benchmark: end, Answer: model.NoEffect, Lo: -1}},
		Change: model.Change{Targets: []model.Target{at(end, 0.02), at(parse, 0.01)}},
	}
	with := func(change func(*model.Attempt)) model.Attempt {
		a := refuted
		change(&a)
		return a
	}
	less := model.Attempt{ // which judged it after refuted
		Outcome: model.RolledBack, Verdicts: []model.Verdict{{Benchmark: parse, Answer: model.NoEffect, Lo: -1}},
		Change: model.Change{Targets: []model.Target{at(parse, 0.01)}},
	}
	for _, x := range []struct {
		what string
		a    model.Attempt
		t    model.Target
		want bool
	}{
		{"where it was judged before", store.Joined(refuted, less), at(end, 0.02), false},
		{"where neither judged it", store.Joined(refuted, less), at(model.Benchmark{Name: "BenchmarkAll"}, 0.4), true},
		{"more", refuted, at(parse, 0.4), true},
		{"less", refuted, at(parse, 0.01), false},
		{"where it was judged", refuted, at(end, 0.4), false},
		{"kept", with(func(a *model.Attempt) { a.Outcome = model.Kept }), at(parse, 0.4), false},
		{"undecided", with(func(a *model.Attempt) { a.Outcome = model.Unsettled }), at(parse, 0.4), false},
		{"not measured", with(func(a *model.Attempt) { a.Verdicts = nil }), at(parse, 0.4), false},
		{"a test failed", with(func(a *model.Attempt) { a.Checks = []model.Check{{Name: "tests"}} }), at(parse, 0.4), false},
		{"slower", with(func(a *model.Attempt) { a.Verdicts = []model.Verdict{{Benchmark: end, Answer: model.Slower}} }), at(parse, 0.4), false},
		{"never tried", model.Attempt{}, at(parse, 0.4), false},
	} {
		if got := elsewhere(x.a, x.t); got != x.want {
			t.Errorf("%s: %v; want %v", x.what, got, x.want)
		}
	}
}

// After all else, one that did nothing is judged by the others that spend a tenth on its lines, each once.
func TestAnother(t *testing.T) {
	a, b, c := model.Benchmark{Name: "BenchmarkA"}, model.Benchmark{Name: "BenchmarkB"}, model.Benchmark{Name: "BenchmarkC"}
	at := func(bm model.Benchmark, share float64) model.Target {
		return model.Target{Benchmark: bm, CPUShare: share}
	}
	change := model.Change{ID: "x", Targets: []model.Target{at(a, 0.9), at(b, 0.2), at(c, 0.3), at(model.Benchmark{Name: "BenchmarkD"}, 0.05)}}
	nothing := model.Attempt{Outcome: model.RolledBack, Change: change, Verdicts: []model.Verdict{{Benchmark: a, Answer: model.NoEffect, Lo: -1}}}
	slower := nothing
	slower.Verdicts = []model.Verdict{{Benchmark: b, Answer: model.Slower}}
	for _, x := range []struct {
		what     string
		attempts []model.Attempt
		want     []model.Benchmark
	}{
		{"never tried", nil, nil},
		{"did nothing", []model.Attempt{nothing}, []model.Benchmark{c, b}},
		{"slower since", []model.Attempt{nothing, slower}, nil},
		{"kept since", []model.Attempt{nothing, {Outcome: model.Kept, Change: change}}, nil},
	} {
		o := &offers{run: &model.Run{Attempts: x.attempts}, turns: map[turn]bool{}, fresh: map[string]model.Change{"x": change}}
		var got []model.Benchmark
		for {
			c, ok := o.another()
			if !ok {
				break
			}
			got = append(got, c.Targets[0].Benchmark)
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: %v; want %v", x.what, got, x.want)
		}
	}
}

// A change that promises little waits once, and others do as well.
func TestWaits(t *testing.T) {
	s, change := &searching{}, func(id string, share float64) model.Change {
		return model.Change{ID: id, Targets: []model.Target{{Share: share}}}
	}
	for i, x := range []struct {
		id    string
		share float64
		want  bool
	}{{"large", 0.5, false}, {"small", 0.02, true}, {"small", 0.02, false}, {"other", 0.02, true}, {"small", 0.02, false}} {
		if got := s.waits(change(x.id, x.share)); got != x.want {
			t.Errorf("%d: %s waits: %v", i, x.id, got)
		}
	}
}

// What was measured and stayed undecided has what is left of the time, once, where that is more
// than it had.
func TestReopened(t *testing.T) {
	change := func(id string, share float64) model.Change {
		return model.Change{ID: id, Targets: []model.Target{{Share: share}}}
	}
	attempt := func(id string, o model.Outcome, seconds float64) model.Attempt {
		return model.Attempt{Change: change(id, 0), Outcome: o, Seconds: seconds, Verdicts: []model.Verdict{{}}}
	}
	asks := attempt("asks", model.Unsettled, 5)
	asks.Needs = []model.SuspicionKind{model.SuspectUncompared}
	unmeasured := attempt("unmeasured", model.Unsettled, 5)
	unmeasured.Verdicts = nil
	o := &offers{again: make(map[string]bool), fresh: make(map[string]model.Change), run: &model.Run{Attempts: []model.Attempt{
		attempt("long", model.Unsettled, 60), attempt("small", model.Unsettled, 5), attempt("large", model.Unsettled, 5),
		attempt("refuted", model.RolledBack, 5), attempt("gone", model.Unsettled, 5), asks, unmeasured,
	}}}
	for id, share := range map[string]float64{"long": 0.9, "small": 0.1, "large": 0.5, "refuted": 0.9, "asks": 0.9, "unmeasured": 0.9} {
		o.fresh[id] = change(id, share)
	}
	var got []string
	for range 4 {
		if c, ok := o.reopened(time.Minute); ok {
			got = append(got, c.ID)
		}
	}
	if want := []string{"large", "small"}; !slices.Equal(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
}
