package attempt

import (
	"context"
	"path"

	"github.com/pawl-dev/pawl/internal/explain/worth"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// worth finds out what a change that is about to be kept is worth in
// production, and refuses it when that is less than what was asked for.
func (t *Attempt) worth(context.Context) (*refusal, error) {
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
func (t *Attempt) asked(why string, r reason) *refusal {
	t.Checks = append(t.Checks, model.Check{Name: "worth", Detail: why})
	return &refusal{r, Join("worth: "+why, t.Reason)}
}

// production is what was measured of a change on top of base in the benchmark that shows it
// best: the first verdict that is faster, else the first.
func production(t model.Attempt, base *state.State) worth.Change {
	c := worth.Change{}
	for _, d := range t.Driven {
		c.Funcs = append(c.Funcs, worth.Func{Name: d.Func, File: path.Base(d.At.File)})
	}
	if len(t.Verdicts) == 0 {
		return c
	}
	v := t.Verdicts[0]
	for _, x := range t.Verdicts {
		if x.Answer == model.Faster {
			v = x
			break
		}
	}
	c.Benchmark = v.Benchmark
	if v.Metric == "cpu/op" {
		c.Gains = append(c.Gains, worth.TimeGain(v))
	}
	for _, e := range t.Counts {
		if e.Benchmark == v.Benchmark && (e.Metric == "B/op" || e.Metric == "allocs/op") {
			c.Gains = append(c.Gains, worth.AllocGain(e))
		}
	}
	taken := base.Taken(v.Benchmark)
	c.CPU, c.Allocs = taken.CPU, taken.Mem
	return c
}
