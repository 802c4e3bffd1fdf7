package trial

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// courseOf records n units around a ratio of 0.9.
func courseOf(t *testing.T, n int) (*model.Course, judge.Decision) {
	t.Helper()
	rules := judge.AdoptRules()
	rules.MaxUnits = max(n, rules.MaxUnits)
	seq := newSeries(verdict.Rules{Judge: rules, Level: 0.95})
	for i := range n {
		if err := seq.add(math.Log(0.9) + 0.01*math.Sin(float64(i))); err != nil {
			t.Fatal(err)
		}
	}
	return seq.course.end(seq.Decision()), seq.Decision()
}

func TestCourseEndsWithTheVerdict(t *testing.T) {
	for _, n := range []int{1, 2, denseSteps, denseSteps + 1, 137, 1000} {
		c, d := courseOf(t, n)
		if len(c.Ratios) != n {
			t.Errorf("%d units: %d ratios", n, len(c.Ratios))
		}
		last := c.Steps[len(c.Steps)-1]
		_, hi := d.Finite()
		if last.Units != n || last.Change != digits(d.Estimate) || last.Lo != digits(d.Lo) || last.Hi != digits(hi) {
			t.Errorf("%d units: the last step is %+v, the decision %+v", n, last, d)
		}
		for i, s := range c.Steps {
			if i > 0 && s.Units <= c.Steps[i-1].Units || i < denseSteps && s.Units != i+1 {
				t.Errorf("%d units: step %d is after %d", n, i, s.Units)
			}
		}
		if len(c.Steps) > 65 {
			t.Errorf("%d units: %d steps", n, len(c.Steps))
		}
		// An end of the interval that is not known is no infinity in JSON.
		if _, err := json.Marshal(c); err != nil {
			t.Errorf("%d units: %v", n, err)
		}
	}
}

func TestNoUnitsHaveNoCourse(t *testing.T) {
	if c, _ := courseOf(t, 0); c != nil {
		t.Errorf("a course without units: %+v", c)
	}
}
