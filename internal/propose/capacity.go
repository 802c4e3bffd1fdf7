package propose

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// capacity makes a map or slice for as many elements as are then added.
type capacity struct{ savesBoth }

// Name is the kind of the changes.
func (capacity) Name() string { return "capacity-hint" }

// Doc describes the transformation.
func (capacity) Doc() string {
	return "A map or slice that is made empty and then filled by loops, maps.Copy or append from sources of known length is made for the sum of those lengths."
}

// Evidence is the proof that it pays.
func (capacity) Evidence() *rule.Evidence {
	return proof("capacity-hint", "BenchmarkMerge", "allocs", "no growth while it is filled", 0)
}

// The fewest elements whose growth costs anything to speak of: a map has room
// for eight from the start, a slice grows for the third time after two.
const (
	fewEntries  = 8
	fewElements = 2
)

// Propose looks at the additions on the target's line: growth is attributed to
// the line that adds.
func (c capacity) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	o := offers{kind: c.Name(), target: t}
	p.eachPlace(places(t, false), func(fn *function, at model.Pos) {
		for _, g := range p.growingAt(fn, at.Line) {
			ch, why := c.propose(p, g, at)
			o.add(at, types.ExprString(g.to)+" grows while it is filled", ch, why)
			p.hinted[at] = p.hinted[at] || ch != nil
		}
	})
	return o.changes, o.refusals
}

// propose works out the change for one container. Both results are empty where
// it is too small to matter.
func (c capacity) propose(p *Program, g *growing, at model.Pos) (*model.Change, string) {
	if why := editable(g.fn.file); why != "" {
		return nil, why
	}
	s := &sized{growing: g}
	var why string
	if s.total, s.first, why = g.fills(g.addAt(at.Line)); why != "" {
		return nil, why
	}
	if s.small() {
		return nil, ""
	}
	if hasGoto(g.fn.decl.Body) {
		return nil, g.fn.obj.Name() + " uses goto"
	}
	place, why := s.place(at.Line)
	if why != "" {
		return nil, why
	}
	if why := g.predeclared(s.size(), g.list[s.from]); why != "" {
		return nil, why
	}
	obligations, why := s.argue(p)
	if why != "" {
		return nil, why
	}
	edits, err := p.settle(s.edits(p))
	if err != nil {
		return nil, err.Error()
	}
	what := types.ExprString(g.to)
	ch := &model.Change{
		ID: changeID(c.Name(), g.fn.obj.FullName(), edits), Kind: c.Name(), Class: "B",
		Title:       fmt.Sprintf("%s: make %s in %s for %s elements", g.fn.file.pkg.Name, what, g.fn.obj.Name(), s.size()),
		Edits:       edits,
		Obligations: append([]model.Obligation{place}, obligations...),
	}
	if s.fewer != "" {
		ch.Retains = fmt.Sprintf("room for %s elements as long as %s lives, however few are added", s.size(), what)
	}
	return ch, ""
}

// addAt returns a statement on a line that adds to the container.
func (g *growing) addAt(line int) ast.Node {
	var found ast.Node
	ast.Inspect(g.fn.decl.Body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && g.p.covers(s, line) {
			if a, ok := additionIn(g.fn.info(), s); ok && sameVariable(g.fn.info(), a.to, g.to) {
				found = s
			}
		}
		return found == nil
	})
	return found
}

// argue collects the obligations on what can be seen of the size.
func (s *sized) argue(p *Program) ([]model.Obligation, string) {
	what := types.ExprString(s.to)
	full := model.Obligation{Text: what + " comes to hold about as many elements as it is made for", How: "proven",
		Why: "every iteration adds as many"}
	switch {
	case s.fewer != "":
		full.How, full.Why = "assumed", s.fewer+"; measurement decides whether that pays"
	case s.isMap():
		full.How, full.Why = "assumed", "every iteration stores one, and most keys are not there yet"
	}
	if why := s.integer(); why != "" {
		return nil, why
	}
	if s.isMap() {
		return []model.Obligation{{Text: "the size that a map is made for does not show", How: "proven",
			Why: "the language has no way to ask for it"}, full}, ""
	}
	room := model.Obligation{Text: "how much room " + what + " has does not show", How: "proven",
		Why: "nothing asks for its capacity, reslices it or grows another slice from it"}
	if why := s.elsewhere(); why != "" {
		return nil, why
	}
	v := code.Var(s.fn.info(), s.to)
	if v == nil {
		s.seen = "it is a field"
	} else if fl := p.follow(s.fn, v); fl.capSeen {
		return nil, "its capacity is asked for"
	} else {
		s.seen = s.outside(fl)
	}
	if s.seen != "" {
		room.How, room.Why = "assumed", s.seen+"; what append leaves is unspecified, so that nobody can rely on it"
	}
	if s.value != nil {
		return []model.Obligation{room, full}, ""
	}
	null := model.Obligation{Text: what + " is nil where it was nil before", How: "proven", Why: "nothing can tell nil from empty"}
	if s.seen != "" {
		if s.fewer != "" {
			return nil, "it must stay nil where nothing is added (" + s.seen + "), and " + s.fewer
		}
		if !s.unread() {
			return nil, "it must stay nil where nothing is added (" + s.seen + "), and it is looked at while it is filled"
		}
		null.Why = "it is made only if something is then added to it"
	}
	return []model.Obligation{null, room, full}, ""
}

// unread reports whether nothing but the additions mentions the slice until it
// is full.
func (s *sized) unread() bool {
	last, mentions, adds := s.first, 0, 0
	for i, stmt := range s.list[s.made+1:] {
		if len(s.adds(stmt)) > 0 {
			last = s.made + 1 + i
		}
	}
	for _, stmt := range s.list[s.made+1 : last+1] {
		adds += len(s.adds(stmt))
		mentions += s.mentions(stmt)
	}
	return mentions == 2*adds
}

// outside says who may see whether the slice is nil.
func (s *sized) outside(fl *flow) string {
	switch {
	case len(fl.leaks) > 0:
		return "it is " + fl.leaks[0].why
	case fl.results != 0:
		return "it is returned"
	case fl.nilSeen:
		return "it is compared or printed"
	}
	return ""
}

// integer refuses room for a mere number of iterations that need not be used:
// it may be very large, and what a file or a peer claims.
func (s *sized) integer() string {
	for _, part := range s.parts {
		if s.fewer != "" && isInteger(s.fn.info().TypeOf(part.of)) {
			return part.text + " may be much larger than what is added: " + s.fewer
		}
	}
	return ""
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
