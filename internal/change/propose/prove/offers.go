package prove

import (
	"fmt"

	"github.com/pawl-dev/pawl/internal/model"
)

// A transformation embeds one of these to say which costs it lowers:
// allocations, time of lines that are hot whatever they allocate, or both.
type (
	SavesAllocs struct{}
	SavesTime   struct{}
	SavesBoth   struct{}
)

// Saves reports whether r is allocations.
func (SavesAllocs) Saves(r model.Resource) bool { return r == model.Allocs }

// Saves reports whether r is CPU time.
func (SavesTime) Saves(r model.Resource) bool { return r == model.CPU }

// Saves reports whether r is allocations or CPU time.
func (SavesBoth) Saves(r model.Resource) bool { return r == model.Allocs || r == model.CPU }

// A Refusal says why a place of the right shape is left alone.
type Refusal struct {
	Kind string    `json:"kind"` // the transformation
	At   model.Pos `json:"at"`   // the place that was looked at
	Why  string    `json:"why"`  // the obligation that fails, as a sentence for the user
}

// Offers collects what a transformation has to say of one target.
type Offers struct {
	Kind     string // of the transformation
	Target   model.Target
	Changes  []model.Change
	Refusals []Refusal
}

// Add takes a change, if there is one, and why a place at which something was
// seen is left alone, if it is.
func (o *Offers) Add(at model.Pos, seen string, c *model.Change, why *Reason) {
	if why != nil {
		o.Refusals = append(o.Refusals, Refusal{o.Kind, at, seen + ": " + why.String()})
	}
	if c != nil {
		c.Targets, c.Hypothesis = []model.Target{o.Target}, hypothesis(o.Target)
		o.Changes = append(o.Changes, *c)
	}
}

// EachPlace calls do for the places that stand in a function of the loaded
// packages.
func (p *Module) EachPlace(at []model.Pos, do func(fn *Function, at model.Pos)) {
	for _, pos := range at {
		if fn := p.FunctionAt(pos); fn != nil {
			do(fn, pos)
		}
	}
}

// Places returns the source lines at which the cause of t may stand: the
// target's own, then its module frames from the inside out, then the places
// that the compiler's notes name. Lines that nothing was loaded for stay in;
// looking them up fails later.
func Places(t model.Target, frames bool) []model.Pos {
	var all []model.Pos
	seen := map[model.Pos]bool{}
	add := func(p model.Pos) {
		p.Col = 0
		if p.File != "" && !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	add(t.At)
	if frames {
		for _, f := range t.Stack {
			if f.Module {
				add(f.Pos())
			}
		}
	}
	for _, n := range t.Notes {
		if n.Kind != model.NoteEscape {
			continue
		}
		for _, c := range n.Chain {
			add(c)
		}
	}
	return all
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
