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
	targets := []model.Target{target(x, model.Allocs, 1), target(x, model.Allocs, 3), target(x, model.CPU, 400), target(y, model.Allocs, 7)}
	for _, c := range []struct {
		places int
		want   float64
	}{
		{0, siteGone}, // one of four will do
		{2, 3.5},      // else the place that saves one might do nothing
	} {
		if got := leastGone(model.Change{Targets: targets, Places: c.places}, x); got != c.want {
			t.Errorf("at %d places: %v, want %v", c.places, got, c.want)
		}
	}
}
