package report

import (
	"math"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

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
		p := scaleOf([]model.Verdict{v}).draw(v)
		if p.Below != c.below || p.Above != c.above || (p.Open != "") != c.open {
			t.Errorf("[%v, %v] is drawn as %+v", c.lo, c.hi, p)
		}
	}
}

// openRun is a run in which nothing came of a change's interval, nor of the
// final one.
func openRun() *model.Run {
	r := sampleRun()
	r.Attempts, r.Prospects = r.Attempts[:3], r.Prospects[:1]
	of := func(v *model.Verdict, change float64) {
		v.Answer, v.Change, v.Lo, v.Hi, v.Units, v.Links = model.Undecided, change, -1, 1e6, 4, true
		v.Course = courseOf(model.Verdict{Change: change, Lo: -0.02, Hi: 0.02, Units: 4})
		for i := range v.Course.Steps {
			v.Course.Steps[i].Lo, v.Course.Steps[i].Hi = -1, 1e6
		}
	}
	of(&r.Attempts[0].Verdicts[0], -0.042)
	of(r.Results[0].Verdict, -0.042)
	r.Attempts[2].Verdicts[0].Hi = 1e6
	return r
}

func TestPageOfOpenIntervals(t *testing.T) {
	page := html(t, openRun())
	wellFormed(t, page)
	if got := strings.Count(page, ">interval open</text>"); got != 2 {
		t.Errorf("%d of 2 open intervals say so", got)
	}
	if got := strings.Count(page, `<line class="span"`); got != 2 {
		t.Errorf("%d bars of 2 intervals that have an end", got)
	}
	if !strings.Contains(page, "the estimate; the interval is open") {
		t.Error("a course without an interval is said to narrow")
	}
	if strings.Contains(page, "interval\u00a0open, ") {
		t.Error("an open interval has a level")
	}
}
