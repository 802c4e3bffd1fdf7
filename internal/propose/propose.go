package propose

import (
	"sort"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// A Transformation proposes changes for the costs it knows.
type Transformation interface {
	// Name is the kind of its changes and refusals: "scratch-to-field".
	Name() string
	// Doc says in a sentence or two what is changed into what.
	Doc() string
	// Saves reports whether it lowers costs of r: a change is proposed only for
	// targets of a resource that it saves.
	Saves(r model.Resource) bool
	// Evidence is the proof that it pays, to be judged on any machine.
	Evidence() *rule.Evidence
	// Propose returns the changes that aim at t, and a refusal for each place
	// that has the right shape but fails an obligation. Both are empty where
	// the shape is absent.
	Propose(p *Program, t model.Target) ([]model.Change, []Refusal)
}

// savesAllocs and savesTime are embedded by transformations that aim at
// allocations, and at lines that are hot whatever they allocate.
type (
	savesAllocs struct{}
	savesTime   struct{}
	savesBoth   struct{}
)

func (savesAllocs) Saves(r model.Resource) bool { return r == model.Allocs }
func (savesTime) Saves(r model.Resource) bool   { return r == model.CPU }
func (savesBoth) Saves(r model.Resource) bool   { return r == model.Allocs || r == model.CPU }

// A Refusal says why a place of the right shape is left alone.
type Refusal struct {
	Kind string    `json:"kind"` // the transformation
	At   model.Pos `json:"at"`   // the place that was looked at
	Why  string    `json:"why"`  // the obligation that fails, as a sentence for the user
}

// All returns the transformations, in the order in which they are tried.
func All() []Transformation {
	return []Transformation{
		scratch{},
		reuse{},
		scratchResult{},
		coldCall{},
		coldCopy{},
		capacity{},
		boundMake{},
		backing{},
		growCall{},
		lazyError{},
		errorValue{},
		pool{},
		appendFormat{},
		conversion{},
		reflectCache{},
		regexpCode{},
		bulkAppend{},
		splitFast{},
		hoist{},
	}
}

// Changes runs all transformations on t. Equal changes are returned once;
// refusals are sorted by place and returned only for places without a change
// of the same kind.
func (p *Program) Changes(t model.Target) ([]model.Change, []Refusal) {
	var changes []model.Change
	var refusals []Refusal
	ids := map[string]bool{}
	seen := map[Refusal]bool{}
	for _, tr := range All() {
		if !tr.Saves(t.Resource) {
			continue
		}
		cs, rs := tr.Propose(p, t)
		for _, c := range cs {
			if !ids[c.ID] {
				ids[c.ID] = true
				changes = append(changes, c)
			}
		}
		for _, r := range rs {
			if !seen[r] {
				seen[r] = true
				refusals = append(refusals, r)
			}
		}
	}
	sort.SliceStable(refusals, func(i, j int) bool {
		a, b := refusals[i].At, refusals[j].At
		if a.File != b.File {
			return a.File < b.File
		}
		return a.Line < b.Line
	})
	return changes, refusals
}

// offers collects what a transformation has to say of one target.
type offers struct {
	kind     string // of the transformation
	target   model.Target
	changes  []model.Change
	refusals []Refusal
}

// add takes a change, if there is one, and why a place at which something was
// seen is left alone, if it is.
func (o *offers) add(at model.Pos, seen string, c *model.Change, why string) {
	if why != "" {
		o.refusals = append(o.refusals, Refusal{o.kind, at, seen + ": " + why})
	}
	if c != nil {
		c.Targets, c.Hypothesis = []model.Target{o.target}, hypothesis(o.target)
		o.changes = append(o.changes, *c)
	}
}

// eachPlace calls do for the places that stand in a function of the loaded
// packages.
func (p *Program) eachPlace(at []model.Pos, do func(fn *function, at model.Pos)) {
	for _, pos := range at {
		if fn := p.functionAt(pos); fn != nil {
			do(fn, pos)
		}
	}
}

// places returns the source lines at which the cause of t may stand: the
// target's own, then its module frames from the inside out, then the places
// that the compiler's notes name. Lines that nothing was loaded for stay in;
// looking them up fails later.
func places(t model.Target, frames bool) []model.Pos {
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
