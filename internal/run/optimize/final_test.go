package optimize

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// What there was no time to count is as it was when the change was kept, and not 0.
func TestJudged(t *testing.T) {
	soFar := model.Result{
		Benchmark: model.Benchmark{Name: "BenchmarkF"},
		Before:    model.Stats{CPUNs: 500, Allocs: 14, Bytes: 424},
		After:     model.Stats{CPUNs: 90, Allocs: 1, Bytes: 48},
	}
	v := model.Verdict{Answer: model.Undecided, Change: -0.8}
	samples := [][2]model.Sample{{{N: 1, CPUNs: 400}, {N: 1, CPUNs: 80}}}
	counts := []model.Exact{{Metric: verdict.Allocs, Before: 13, After: 2}, {Metric: verdict.Bytes, Before: 400, After: 50}}
	for name, tt := range map[string]struct {
		samples [][2]model.Sample
		counts  []model.Exact
		want    [2]model.Stats
	}{
		"no time at all":         {nil, nil, [2]model.Stats{soFar.Before, soFar.After}},
		"no time for the counts": {samples, nil, [2]model.Stats{{CPUNs: 400, Allocs: 14, Bytes: 424}, {CPUNs: 80, Allocs: 1, Bytes: 48}}},
		"all":                    {samples, counts, [2]model.Stats{{CPUNs: 400, Allocs: 13, Bytes: 400}, {CPUNs: 80, Allocs: 2, Bytes: 50}}},
	} {
		r := judged(soFar, model.Duet, v, tt.samples, tt.counts)
		if diff := cmp.Diff(tt.want, [2]model.Stats{r.Before, r.After}); diff != "" || r.Verdict == nil {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What the kept changes were seen to do one after the other stands for the comparison at the end where there was no time for it.
func TestObjectsSoFar(t *testing.T) {
	f, g := model.Benchmark{Name: "BenchmarkF"}, model.Benchmark{Name: "BenchmarkG"}
	attempt := func(outcome model.Outcome, bm model.Benchmark, before, after float64, noisy bool) model.Attempt {
		return model.Attempt{Outcome: outcome, Counts: []model.Exact{{Benchmark: bm, Metric: verdict.Allocs, Before: before, After: after, Noisy: noisy}}}
	}
	first := attempt(model.Kept, f, 14, 9, false)
	undone := attempt(model.RolledBack, f, 14, 9, false)
	undone.Reason = store.UndoneReason + "; it was kept for: allocs/op 14 → 9"
	for name, tt := range map[string]struct {
		attempts []model.Attempt
		want     []model.Exact
	}{
		"nothing kept":         {[]model.Attempt{attempt(model.RolledBack, f, 14, 9, false)}, nil},
		"one":                  {[]model.Attempt{first}, first.Counts},
		"two, one rolled back": {[]model.Attempt{first, attempt(model.RolledBack, f, 9, 20, false), attempt(model.Kept, f, 9.01, 2, false)}, []model.Exact{{Benchmark: f, Metric: verdict.Allocs, Before: 14, After: 2}}},
		"not counted":          {[]model.Attempt{first, attempt(model.Kept, g, 3, 1, false)}, nil},
		"noisy":                {[]model.Attempt{first, attempt(model.Kept, f, 9, 1, true)}, nil},
		"the first undone":     {[]model.Attempt{undone, attempt(model.Kept, f, 9, 2, false)}, nil},
		"one between undone":   {[]model.Attempt{first, undone, attempt(model.Kept, f, 8.8, 2, false)}, nil},
		"not where it ended":   {[]model.Attempt{first, attempt(model.Kept, f, 12, 1, false)}, nil},
	} {
		if diff := cmp.Diff(tt.want, objectsSoFar(tt.attempts, f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Where time is short, it goes to the benchmarks that changes were kept for.
func TestFinalGroups(t *testing.T) {
	bm := func(name string) model.Benchmark { return model.Benchmark{Name: name} }
	aim := func(outcome model.Outcome, name string) model.Attempt {
		return model.Attempt{Outcome: outcome, Change: model.Change{Targets: []model.Target{{Benchmark: bm(name)}}}}
	}
	f := &final{run: &model.Run{
		Plans:    []model.Plan{{Benchmark: bm("A")}, {Benchmark: bm("B")}, {Benchmark: bm("C")}, {Benchmark: bm("D")}},
		Attempts: []model.Attempt{aim(model.RolledBack, "A"), aim(model.Kept, "D"), aim(model.Kept, "B")},
	}}
	aimed, others := f.groups()
	if diff := cmp.Diff([][]int{{1, 3}, {0, 2}}, [][]int{aimed, others}); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}
