package trial

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestSlowness(t *testing.T) {
	pair := [2]model.Sample{{CPUNs: 100, WallNs: 500}, {CPUNs: 1000, WallNs: 600}}
	if got := slowness(model.Plan{Mode: model.Duet}, [][2]model.Sample{pair}); got != 10 {
		t.Errorf("duet: %v, want 10", got)
	}
	if got := slowness(model.Plan{Mode: model.Alternate}, [][2]model.Sample{pair}); got != 1.2 {
		t.Errorf("alternate: %v, want 1.2", got)
	}
	if got := slowness(model.Plan{}, nil); got != 1 {
		t.Errorf("nothing: %v, want 1", got)
	}
}

// A pair of the plan that fits a slow candidate takes as long as two slices of
// the base, and samples of other iteration counts do not stay.
func TestFit(t *testing.T) {
	pairs := func(times float64) [][2]model.Sample {
		return [][2]model.Sample{{{CPUNs: 100, WallNs: 100}, {CPUNs: 100 * times, WallNs: 100 * times}}}
	}
	for _, test := range []struct {
		n     int64
		times float64
		want  int64
	}{{1000, 0.1, 1000}, {1000, 2, 1000}, {1000, 3, 500}, {1000, 19, 100}, {4, 1e6, 2}} {
		p, prior := fit(model.Plan{Mode: model.Duet, N: test.n, SliceNs: 10}, pairs(test.times))
		if p.N != test.want || (prior == nil) != (test.want != test.n) {
			t.Errorf("%d iterations, %v times as long: %d, prior %v", test.n, test.times, p.N, prior)
		}
		if scaled := p.SliceNs < 10; scaled != (test.want != test.n) {
			t.Errorf("%v times as long: a slice of %v ns", test.times, p.SliceNs)
		}
	}
}
