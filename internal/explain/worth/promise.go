package worth

import (
	"errors"
	"path"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Measured is what was measured of a change in the benchmark that shows it best: the
// first verdict that is faster, else the first. The profiles of the benchmark are the
// caller's to add.
func Measured(a model.Attempt) Change {
	c := Change{}
	for _, d := range a.Driven {
		c.Funcs = append(c.Funcs, Func{Name: d.Func, File: path.Base(d.At.File)})
	}
	if len(a.Verdicts) == 0 {
		return c
	}
	v := a.Verdicts[0]
	for _, x := range a.Verdicts {
		if x.Answer == model.Faster {
			v = x
			break
		}
	}
	c.Benchmark = v.Benchmark
	if v.Metric == "cpu/op" {
		c.Gains = append(c.Gains, timeGain(v))
	}
	for _, e := range a.Counts {
		if e.Benchmark == v.Benchmark && (e.Metric == "B/op" || e.Metric == "allocs/op") {
			c.Gains = append(c.Gains, allocGain(e))
		}
	}
	return c
}

// A Promise is the part of the cost of some functions that a change saves, as its
// benchmark says.
type Promise struct {
	ID       string // of the change
	Title    string
	Commit   string
	Funcs    []Func
	Resource string  // the type of samples that it is about: cpu, alloc_space, alloc_objects
	Gain     float64 // with its interval
	Lo, Hi   float64
}

// PromiseOf returns what a change promised: CPU time, where that gain is certain, and
// else allocations. Own returns the profiles of a benchmark before the change, or nil. The
// error says why nothing was promised that production could show.
func PromiseOf(a model.Attempt, own func(model.Benchmark) (cpu, mem *profile.Profile)) (Promise, []model.Warning, error) {
	p := Promise{ID: a.Change.ID, Title: a.Change.Title, Commit: a.Commit}
	c := Measured(a)
	if p.Funcs = c.Funcs; len(p.Funcs) == 0 {
		return p, nil, errors.New("the run does not say which functions it changed")
	}
	for _, g := range c.Gains {
		if g.Lo <= 0 {
			continue
		}
		p.Resource = map[model.Resource]string{model.CPU: "cpu", model.Allocs: "alloc_objects", model.Bytes: "alloc_space"}[g.Resource]
		if w := a.Worth; w != nil && w.Resource == p.Resource && !w.Estimate && w.Gain > 0 {
			p.Gain, p.Lo, p.Hi = w.Gain, w.GainLo, w.GainHi
			return p, nil, nil
		}
		c.CPU, c.Allocs = own(c.Benchmark)
		var w Worth
		warnings := w.gain(c, g)
		p.Gain, p.Lo, p.Hi = w.Gain, w.GainLo, w.GainHi
		return p, warnings, nil
	}
	return p, nil, errors.New("none of its gains in CPU time or allocations is certain, so it promised none")
}
