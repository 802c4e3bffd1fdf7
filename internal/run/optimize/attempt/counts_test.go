package attempt

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestLeastGone(t *testing.T) {
	x, y := model.Benchmark{Name: "X"}, model.Benchmark{Name: "Y"}
	target := func(bm model.Benchmark, r model.Resource, n float64) model.Target {
		return model.Target{Benchmark: bm, Resource: r, PerOp: n}
	}
	for _, c := range []struct {
		targets        []model.Target
		mustSave, want float64
	}{
		{[]model.Target{target(x, model.Allocs, 1), target(x, model.Allocs, 3)}, 0, siteGone}, // one of four will do
		{[]model.Target{target(x, model.Allocs, 0.5), target(y, model.Allocs, 7)}, 0, siteGone / 2},
		{[]model.Target{target(x, model.Allocs, 1), target(x, model.Allocs, 3)}, 2, 2}, // at two places
	} {
		if got := leastGone(model.Change{Targets: c.targets, MustSave: c.mustSave}, x); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
