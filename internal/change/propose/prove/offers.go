package prove

import (
	"cmp"
	"fmt"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Refusal says why a place of the right shape is left alone.
type Refusal struct {
	Kind string    `json:"kind"` // the transformation
	At   model.Pos `json:"at"`   // the place that was looked at
	Why  string    `json:"why"`  // the obligation that fails, as a sentence for the user
}

// Offers collects what a transformation has to say of one target.
type Offers struct {
	Target   model.Target
	kind     string // of the transformation
	changes  []model.Change
	refusals []Refusal
}

// Add takes a change, if there is one, and why a place at which something was
// seen is left alone, if it is.
func (o *Offers) Add(at model.Pos, seen string, c *model.Change, why *Reason) {
	if why != nil {
		o.refusals = append(o.refusals, Refusal{o.kind, at, seen + ": " + why.String()})
	}
	if c != nil {
		c.Targets, c.Hypothesis = []model.Target{o.Target}, cmp.Or(c.Hypothesis, hypothesis(o.Target))
		o.changes = append(o.changes, *c)
	}
}

// hypothesis says what should fall.
func hypothesis(t model.Target) string {
	if t.Resource == model.CPU {
		return hotHypothesis(t)
	}
	if t.Benchmark.Name == "" || t.PerOp == 0 {
		return "allocs/op falls"
	}
	return fmt.Sprintf("allocs/op of %s falls by %.3g", t.Benchmark, t.PerOp)
}

func hotHypothesis(t model.Target) string {
	if t.Benchmark.Name == "" || t.Share == 0 {
		return "CPU time falls"
	}
	return fmt.Sprintf("CPU time of %s falls by up to %.0f %%", t.Benchmark, 100*t.Share)
}
