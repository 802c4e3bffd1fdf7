package optimize

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
