package sizes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// Capacity makes a map or slice for as many elements as are then added.
var Capacity = prove.Transformation{
	Name:     "capacity-hint",
	Doc:      "A map or slice that is made empty and then filled by loops, maps.Copy or append from sources of known length is made for the sum of those lengths. A map may be filled by a method that stores one entry, such as Add of a header. What a loop adds of each element, such as its list, is counted by a loop before it. In a branch or a loop within a loop it grows once before the inner loop, and so does a slice that was there before. A result that must stay nil where nothing is added is made where the first element is; one that was given grows where it is full.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "capacity-hint", "BenchmarkMerge", "allocs", "no growth while it is filled", 0),
	// It looks at the additions on the target's line: growth is attributed to the line that adds. Where that is in a
	// method that does no more, the call of the method is what adds.
	Propose: func(p *prove.Program, o *prove.Offers) {
		prove.At(prove.Near, hint)(p, o)
		prove.At(func(t model.Target) []model.Pos { return storedFor(p, t) }, func(s *prove.Site) {
			if hint(s); Hinted(p)[s.At] {
				Hinted(p)[o.Target.At] = true
			}
		})(p, o)
	},
}

// hint adds what is found on a site's line.
func hint(s *prove.Site) {
	tallied := talliedAt(s.Program, s.Fn, s.At.Line)
	for _, t := range tallied {
		ch, why := t.counted()
		s.Add(types.ExprString(t.to)+" grows while it is filled", ch, why)
	}
	// counts reports whether that was said of a slice already.
	counts := func(to ast.Expr) bool {
		return slices.ContainsFunc(tallied, func(t *tally) bool { return t.names(to) })
	}
	for _, g := range growingAt(s.Program, s.Fn, s.At.Line) {
		ch, why := proposeCapacity(s.Program, g, s.At)
		if ch == nil && counts(g.to) {
			continue
		}
		s.Add(types.ExprString(g.to)+" grows while it is filled", ch, why)
		if ch != nil {
			Hinted(s.Program)[s.At] = true
		}
	}
	for _, g := range givenAt(s.Program, s.Fn, s.At.Line) {
		ch, why := growGiven(g)
		if ch == nil && counts(g.to) {
			continue
		}
		s.Add(types.ExprString(g.to)+" grows while it is filled", ch, why)
	}
}

// The fewest elements whose growth costs anything to speak of: a map has room
// for eight from the start, a slice grows for the third time after two.
const (
	fewEntries  = 8
	fewElements = 2
)

type hintedKey struct{}

// Hinted has the lines that capacity-hint has had a change for in p.
func Hinted(p *prove.Program) map[model.Pos]bool {
	return prove.Remember(p, hintedKey{}, func() map[model.Pos]bool { return map[model.Pos]bool{} })
}

// proposeCapacity works out the change for one container. Both results are empty where it is too small to matter. A slice
// that cannot be made for what is added grows right before the loop that adds it.
func proposeCapacity(p *prove.Program, g *growing, at model.Pos) (*model.Change, *prove.Reason) {
	if code.Jumps(g.fn.Decl.Body) {
		return nil, prove.Refuse(g.fn.Obj.Name() + " uses goto")
	}
	add := g.addAt(at.Line)
	within := g.within(add)
	if within != nil && g.fn.File.Loop(within.list[within.first]) != g.fn.File.Loop(g.list[g.made]) {
		return growInside(within, g)
	}
	ch, why := makeSized(p, g, add, at)
	if why != nil && within != nil {
		if grown, _ := growInside(within, g); grown != nil {
			return grown, nil
		}
	}
	return ch, why
}

// makeSized works out the change for a container that is made for what is added to it, on a line with others.
func makeSized(p *prove.Program, g *growing, add ast.Node, at model.Pos) (*model.Change, *prove.Reason) {
	s := &sized{growing: g}
	var why *prove.Reason
	if s.total, s.first, why = g.fills(add); why != nil {
		return nil, why
	}
	if s.small() {
		return nil, nil
	}
	place, why := s.place(at.Line)
	if why != nil {
		return nil, why
	}
	if why := g.predeclared(s.size(), g.list[s.from]); why != nil {
		return nil, why
	}
	obligations, why := s.argue()
	if why != nil {
		return nil, why
	}
	if s.starts != nil {
		return sizing(s, s.startEdits(), "make %s in %s for %s elements where the first is added", obligations)
	}
	return sizing(s, s.edits(p), "make %s in %s for %s elements", append([]model.Obligation{place}, obligations...))
}

// sizing settles the edits for one container; the title is a format of its name, the
// function's and the size.
func sizing(s *sized, edits []model.Edit, title string, obligations []model.Obligation) (*model.Change, *prove.Reason) {
	what := types.ExprString(s.to)
	ch := model.Change{
		Kind: "capacity-hint", Title: s.fn.File.Pkg.Name + ": " + fmt.Sprintf(title, what, s.fn.Obj.Name(), s.size()), Obligations: obligations,
	}
	if s.fewer != "" {
		ch.Retains = fmt.Sprintf("room for %s elements as long as %s lives, however few are added", s.size(), what)
	}
	return s.p.Change(s.fn, edits, ch)
}

// addAt returns a statement on a line that adds to the container.
func (g *growing) addAt(line int) ast.Node {
	for s := range code.All[ast.Stmt](g.fn.Decl.Body) {
		if a, ok := g.addition(s); ok && g.p.Covers(s, line) && code.SameVariable(g.fn.Info(), a.to, g.to) {
			return s
		}
	}
	return nil
}

// argue collects the obligations on what can be seen of the size.
func (s *sized) argue() ([]model.Obligation, *prove.Reason) {
	what := types.ExprString(s.to)
	full := model.Obligation{Text: what + " comes to hold about as many elements as it is made for", How: "proven",
		Why: "every iteration adds as many"}
	switch {
	case s.fewer != "":
		full.How, full.Why = "assumed", s.fewer+"; measurement decides whether that pays"
	case s.told():
		full.How, full.Why = "assumed", "every iteration adds as many, and as often as the call says before the loop"
	case s.isMap():
		full.How, full.Why = "assumed", "every iteration stores one, and most keys are not there yet"
	}
	if why := s.integer(); why != nil {
		return nil, why
	}
	if s.isMap() {
		return []model.Obligation{{Text: "the size that a map is made for does not show", How: "proven",
			Why: "the language has no way to ask for it"}, full}, nil
	}
	room := model.Obligation{Text: "how much room " + what + " has does not show", How: "proven",
		Why: "nothing asks for its capacity, reslices it or grows another slice from it"}
	if why := s.shows(); why != nil {
		return nil, why
	}
	s.seen = "it is a field"
	if v := code.Var(s.fn.Info(), s.to); v != nil {
		s.seen = outside(s.p.FlowOf(s.fn, v))
	}
	if s.seen != "" {
		room.How, room.Why = "assumed", s.seen+"; what append leaves is unspecified, so that nobody can rely on it"
	}
	if s.value != nil {
		return []model.Obligation{room, full}, nil
	}
	null := model.Obligation{Text: what + " is nil where it was nil before", How: "proven", Why: "nothing can tell nil from empty"}
	if s.seen != "" {
		if s.fewer != "" && !s.sure() {
			if s.starts = s.firstAdditions(); s.starts == nil {
				return nil, prove.Refuse("it must stay nil where nothing is added (" + s.seen + "), and " + s.fewer)
			}
			null.Why = "it is made where the first element is added"
			if why := s.halfStarted(); why != nil {
				return nil, why
			}
			return []model.Obligation{null, room, full}, nil
		}
		if !s.unread() {
			return nil, prove.Refuse("it must stay nil where nothing is added (" + s.seen + "), and it is looked at while it is filled")
		}
		null.Why = "it is made only if something is then added to it"
		if why := s.halfDone(&ast.BlockStmt{List: s.filling()}); why != nil {
			return nil, why
		}
	}
	return []model.Obligation{null, room, full}, nil
}

// sure reports whether something is added where the slice is made with room: outside of loops, or by all that fill it in
// each iteration.
func (s *sized) sure() bool {
	return s.least > 0 || s.fixed == 0 && !slices.ContainsFunc(s.parts, func(one part) bool { return !one.sure })
}

// unread reports whether nothing but the additions mentions the slice until it
// is full.
func (s *sized) unread() bool {
	mentions, adds := 0, 0
	for _, stmt := range s.filling() {
		adds += len(s.adds(stmt))
		mentions += s.mentions(stmt)
	}
	return mentions == 2*adds
}

// filling returns the statements from the one that makes the slice to the last that adds to it.
func (s *sized) filling() []ast.Stmt {
	last := s.first
	for i, stmt := range s.list[s.made+1:] {
		if len(s.adds(stmt)) > 0 {
			last = s.made + 1 + i
		}
	}
	return s.list[s.made+1 : last+1]
}

// outside says who may see whether the slice is nil.
func outside(fl *flow.Flow) string {
	switch {
	case len(fl.Leaks) > 0:
		return "it is " + fl.Leaks[0].Why
	case fl.Results != 0:
		return "it is returned"
	case fl.NilSeen:
		return "it is compared or printed"
	}
	return ""
}

// integer refuses room for a mere number of iterations that need not be used:
// it may be very large, and what a file or a peer claims.
func (s *sized) integer() *prove.Reason {
	for _, part := range s.parts {
		if s.fewer != "" && !part.found && code.IsInteger(s.fn.Info().TypeOf(part.of)) {
			return prove.Refuse(part.text + " may be much larger than what is added: " + s.fewer)
		}
	}
	return nil
}
