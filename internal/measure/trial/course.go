package trial

import (
	"math"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// Every unit has a step up to denseSteps of them. After that the steps are a
// tenth of the units apart: an interval that narrows with the root of their
// number moves by a twentieth at most between two steps, and a thousand units
// have 61 steps.
const (
	denseSteps = 20
	stepGrowth = 1.1
)

// A course records how a verdict comes about.
type course struct {
	ratios []float64
	steps  []model.CourseStep
	next   int // units after which the next step is due
}

// unit records the ratio of a unit, and reports whether a step is due after it.
func (c *course) unit(logRatio float64) bool {
	c.ratios = append(c.ratios, digits(math.Exp(logRatio)))
	n := len(c.ratios)
	if n < c.next {
		return false
	}
	c.next = n + 1
	if n >= denseSteps {
		c.next = int(math.Ceil(float64(n) * stepGrowth))
	}
	return true
}

func (c *course) step(d judge.Decision) {
	lo, hi := d.Finite()
	c.steps = append(c.steps, model.CourseStep{Units: d.Units, Change: digits(d.Estimate), Lo: digits(lo), Hi: digits(hi)})
}

// end returns the course of the units so far, whose last step is last; nil
// where there were no units.
func (c *course) end(last judge.Decision) *model.Course {
	if len(c.ratios) == 0 {
		return nil
	}
	if n := len(c.steps); n == 0 || c.steps[n-1].Units != last.Units {
		c.step(last)
	}
	return &model.Course{Ratios: c.ratios, Steps: c.steps}
}

// digits leaves as many digits of a ratio as a picture of it can show, and
// more than the noise leaves meaning: it keeps the records of a run small.
func digits(x float64) float64 { return math.Round(x*1e6) / 1e6 }
