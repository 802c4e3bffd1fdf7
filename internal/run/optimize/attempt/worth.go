package attempt

import (
	"context"

	"github.com/pawl-dev/pawl/internal/explain/worth"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// worth finds out what a change that is about to be kept is worth in
// production, and refuses it when that is less than what was asked for.
func (t *subject) worth(context.Context) (*refusal, error) {
	if t.p.Production == nil {
		if !t.p.advised {
			t.m.Warn(worth.Advice())
			t.p.advised = true
		}
		return nil, nil
	}
	w, warnings, err := t.p.Production.Of(production(t.Attempt, t.Base))
	if err != nil {
		t.Warnings = append(t.Warnings, model.Warning{Seen: err.Error()})
		if t.p.MinWorth > 0 {
			return t.asked(err.Error(), worthUnknown), nil
		}
		return nil, nil
	}
	t.Worth = &w.Worth
	t.Warnings = append(t.Warnings, warnings...)
	if t.p.MinWorth == 0 {
		return nil, nil
	}
	j := worth.Judge(w, t.p.MinWorth)
	if j.Try != "" {
		t.Warnings = append(t.Warnings, model.Warning{Seen: "what " + t.Change.Title + " is worth is not certain: " + j.Why, Try: j.Try})
	}
	if !j.OK {
		return t.asked(j.Why, worthless), nil
	}
	t.Checks = append(t.Checks, model.Check{Name: "worth", OK: true})
	return nil, nil
}

// asked refuses a change by what -min-worth asks for.
func (t *subject) asked(why string, r reason) *refusal {
	t.Checks = append(t.Checks, model.Check{Name: "worth", Detail: why})
	return &refusal{r, Join("worth: "+why, t.Reason)}
}

// production is what was measured of a change on top of base, with the profiles of its
// benchmark.
func production(t model.Attempt, base *state.State) worth.Change {
	c := worth.Measured(t)
	if len(t.Verdicts) > 0 {
		taken := base.Taken(c.Benchmark)
		c.CPU, c.Allocs = taken.CPU, taken.Mem
	}
	return c
}
