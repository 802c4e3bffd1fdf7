package plot

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestScaleHoldsZeroAndAllIntervals(t *testing.T) {
	s := ScaleOf([]model.Verdict{{Lo: -0.389, Change: -0.371, Hi: -0.352}, {Lo: 0.009, Change: 0.021, Hi: 0.034}})
	if s.Lo > -0.389 || s.Hi < 0.034 || s.x(0) <= s.x(-0.352) || s.x(0.009) <= s.x(0) {
		t.Errorf("scale from %v to %v", s.Lo, s.Hi)
	}
	var ticks []string
	for _, tick := range s.Ticks {
		ticks = append(ticks, tick.Text)
	}
	if diff := cmp.Diff([]string{"−40 %", "−20 %", "0"}, ticks); diff != "" {
		t.Errorf("ticks differ (-want +got):\n%s", diff)
	}
	// A run without verdicts has an axis, too.
	if s := ScaleOf(nil); !(s.Lo < 0 && s.Hi > 0) {
		t.Errorf("scale of nothing: %v", s)
	}
}

// An end that is not known, or that has no place on the axis, is drawn as none;
// an interval without any is said to be open, and has no bar.
func TestPictureOfOpenIntervals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		lo, hi             float64
		below, above, open bool
	}{
		{-0.02, 0.03, false, false, false},
		{-0.02, 1e6, false, true, false},
		{-0.02, 3, false, true, false}, // beyond the axis
		{-1, 0.03, true, false, false},
		{-inf, 0.03, true, false, false},
		{-1, 1e6, true, true, true},
		{-1, inf, true, true, true},
		{nan, nan, true, true, true},
	} {
		v := model.Verdict{Metric: "cpu/op", Change: 0.01, Lo: c.lo, Hi: c.hi}
		p := ScaleOf([]model.Verdict{v}).Draw(v)
		if p.Below != c.below || p.Above != c.above || (p.Open != "") != c.open {
			t.Errorf("[%v, %v] is drawn as %+v", c.lo, c.hi, p)
		}
	}
}
