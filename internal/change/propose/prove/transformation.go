package prove

import (
	"fmt"
	"go/ast"
	"iter"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// A Transformation proposes changes for the costs it knows.
type Transformation struct {
	Name     string         // the kind of its changes and refusals: "scratch-to-field"
	Doc      string         // what is changed into what, in a sentence or two
	Saves    Costs          // what it is tried on
	Evidence *rule.Evidence // the proof that it pays
	// Propose offers the changes that aim at a target, and a refusal for each place
	// that has the right shape but fails an obligation; nothing where the shape is absent.
	Propose func(p *Program, o *Offers)
}

// Costs say which targets a transformation is tried on: those of allocations,
// those of lines that are hot whatever they allocate, or both.
type Costs int

const (
	Allocs Costs = 1 << iota
	Time
	Both = Allocs | Time
)

// Has reports whether r is one of the costs.
func (c Costs) Has(r model.Resource) bool {
	return c&Allocs != 0 && r == model.Allocs || c&Time != 0 && r == model.CPU
}

// Changes returns the changes that aim at t, and a refusal for each place that
// is left alone. A panic is a refusal: a fault in one transformation is no reason to lose what
// the others find, and what was measured.
func (tr Transformation) Changes(p *Program, t model.Target) (changes []model.Change, refusals []Refusal) {
	o := &Offers{Target: t, kind: tr.Name}
	defer func() {
		if fault := recover(); fault != nil {
			changes, refusals = nil, append(o.refusals, Refusal{tr.Name, t.At, fmt.Sprintf("%s: %v", Fault, fault)})
		}
	}()
	tr.Propose(p, o)
	return o.changes, o.refusals
}

// Fault begins the reason of a refusal that is pawl's own fault.
const Fault = "a fault of pawl, which is worth a report"

// A Site is a place in a function of the loaded packages at which a
// transformation looks for its shape.
type Site struct {
	*Program
	*Offers
	Fn *Function
	At model.Pos
}

// Add takes what was found at the site itself.
//
//go:noinline
func (s *Site) Add(seen string, c *model.Change, why *Reason) { s.AddAt(s.At, seen, c, why) }

// AddAt takes what was found at another place. In a file that must not be edited no other
// reason matters.
func (s *Site) AddAt(at model.Pos, seen string, c *model.Change, why *Reason) {
	if frozen := Editable(s.Fn.File); why != nil && frozen != nil {
		why = frozen
	}
	s.Offers.Add(at, seen, c, why)
}

// At is the Propose of a transformation that looks at one place after another:
// at those of a target that stand in a function of the loaded packages.
//
//go:noinline
func At(places func(model.Target) []model.Pos, look func(*Site)) func(*Program, *Offers) {
	return func(p *Program, o *Offers) {
		for _, at := range places(o.Target) {
			if fn := p.FunctionAt(at); fn != nil {
				look(&Site{p, o, fn, at})
			}
		}
	}
}

// On returns the nodes of a kind that cover the site's line.
//
//go:noinline
func On[N ast.Node](s *Site) iter.Seq[N] {
	return func(yield func(N) bool) {
		for n := range code.All[N](s.Fn.Decl.Body) {
			if s.Covers(n, s.At.Line) && !yield(n) {
				return
			}
		}
	}
}

// Here returns the target's own line.
func Here(t model.Target) []model.Pos { return []model.Pos{t.At} }

// Near returns the source lines at which the cause of t may stand: the target's
// own, then the places that the compiler's notes name. Lines that nothing was
// loaded for stay in; looking them up fails later.
func Near(t model.Target) []model.Pos { return near(t, nil) }

// Frames returns the lines of Near, with those of the target's module frames,
// from the inside out, behind its own.
func Frames(t model.Target) []model.Pos { return near(t, t.Stack) }

func near(t model.Target, stack []model.Frame) []model.Pos {
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
	for _, f := range stack {
		if f.Module {
			add(f.Pos())
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

// Unless returns the places for targets that a condition does not hold for.
func Unless(not func(model.Target) bool, places func(model.Target) []model.Pos) func(model.Target) []model.Pos {
	return func(t model.Target) []model.Pos {
		if not(t) {
			return nil
		}
		return places(t)
	}
}
