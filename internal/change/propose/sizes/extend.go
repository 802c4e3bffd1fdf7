package sizes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// givenAt returns the slices that a loop on a line adds to, and that no statement before it makes
// empty: parameters, fields, what a call returned.
func givenAt(p *prove.Program, fn *prove.Function, line int) []*sized {
	var found []*sized
	for add := range code.All[ast.Stmt](fn.Decl.Body) {
		a, ok := additionIn(fn.Info(), add)
		loop := fn.File.Loop(add)
		if !ok || loop == nil || !p.Covers(add, line) || !code.SameVariable(fn.Info(), a.to, a.to) {
			continue
		}
		g := &growing{counter: counter{p, fn, a.to}, typ: fn.Info().TypeOf(a.to)}
		inner, isStmt := fn.File.Parent(loop).(ast.Stmt)
		if _, slice := code.Core(g.typ).(*types.Slice); !slice || !isStmt || g.find(add) || g.roomy(false) || g.declaredIn(inner) {
			continue
		}
		g.list = code.StmtList(fn.File.Parent(inner))
		if at := slices.Index(g.list, inner); at >= 0 {
			g.made = at - 1
			found = append(found, &sized{growing: g, first: at, from: at})
		}
	}
	return found
}

// declaredIn reports whether the variable that the slice is, or is in, is a new one in each iteration.
func (g *growing) declaredIn(loop ast.Stmt) bool {
	root := code.RootIdent(g.to)
	return root == nil || code.Declares(loop, g.fn.Info().Uses[root])
}

// roomy reports whether the function gives the slice room, or reuses what it has: nothing is to be
// gained then. Pops tells that what is cut off it alone does not count: a list of what is to be done
// becomes shorter, and has grown before.
func (g *growing) roomy(pops bool) bool {
	info := g.fn.Info()
	reuses := func(e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.SliceExpr:
			return !pops || !code.SameVariable(info, e.X, g.to)
		case *ast.CallExpr:
			target := code.Callee(info, e)
			return code.Builtin(info, e) == "make" && len(e.Args) == 3 || target != nil && target.Pkg() != nil && strings.HasSuffix(target.Pkg().Path(), "slices")
		}
		return false
	}
	return code.Any(g.fn.Decl.Body, func(a *ast.AssignStmt) bool {
		for i, l := range a.Lhs {
			if len(a.Lhs) == len(a.Rhs) && g.names(l) && reuses(a.Rhs[i]) {
				return true
			}
		}
		return false
	})
}

// growGiven works out the change for a slice that was there before. It is empty where too little is
// added to matter.
func growGiven(s *sized) (*model.Change, *prove.Reason) {
	if code.Jumps(s.fn.Decl.Body) {
		return nil, prove.Refuse(s.fn.Obj.Name() + " uses goto")
	}
	inner := s.list[s.first]
	var why *prove.Reason
	if s.total, why = s.stmt(inner); why != nil || s.small() {
		return nil, why
	}
	if len(s.parts) != 1 || s.sets(inner) || s.moves(inner) {
		return nil, prove.Refuse("it is given another value while it is filled")
	}
	if s.fewer != "" {
		return growWhenFull(s)
	}
	if why := s.here(s.parts[0], s.first, s.first); why != nil {
		return nil, why
	}
	if why := s.predeclared(s.size(), inner); why != nil {
		return nil, why
	}
	if why := cmp.Or(s.shows(), s.halfDone(inner)); why != nil {
		return nil, why
	}
	obligations, why := s.argueGiven(inner)
	if why != nil {
		return nil, why
	}
	edits, why := s.growth(inner)
	if why != nil {
		return nil, why
	}
	return sizing(s, edits, "grow %s in %s once for %s elements", obligations)
}

// growWhenFull works out the change for a slice that a loop adds to under a condition: where one more does not
// fit, it grows for as many as the loop has left.
func growWhenFull(s *sized) (*model.Change, *prove.Reason) {
	if s.starts = s.onlyAdditions(); s.starts == nil {
		return nil, prove.Refuse("it must stay nil where nothing is added, and " + s.fewer)
	}
	if why := s.integer(); why != nil {
		return nil, why
	}
	if !code.Predeclared(s.fn.Obj.Pkg(), s.starts[0].Pos(), "make", "len", "cap", "append") {
		return nil, prove.Refuse("make, len, cap or append means something else there")
	}
	if why := cmp.Or(s.shows(), s.halfStarted()); why != nil {
		return nil, why
	}
	obligations, why := s.argueFull()
	if why != nil {
		return nil, why
	}
	edits, imports := s.keptEdits(), []model.Edit(nil)
	for _, start := range s.starts {
		more, some, why := s.grown(start, s.left(start))
		if why != nil {
			return nil, why
		}
		text := fmt.Sprintf("if len(%[1]s) == cap(%[1]s) {\n\t%[2]s\n}\n", types.ExprString(s.to), more)
		edits, imports = append(edits, s.p.Insert(s.fn.File, start.Pos(), text)), some
	}
	return sizing(s, append(edits, imports...), "grow %s in %s for what is left of %s elements", obligations)
}

// argueFull collects the obligations on a slice that grows where it is full.
func (s *sized) argueFull() ([]model.Obligation, *prove.Reason) {
	what := types.ExprString(s.to)
	return []model.Obligation{
		{Text: what + " is nil where it was nil before, and another slice where append made one", How: "proven",
			Why: "it grows right before an element is added that does not fit"},
		{Text: "how much room " + what + " has does not show", How: "assumed",
			Why: "what append leaves is unspecified, so that nobody can rely on it"},
		{Text: what + " comes to hold about as many more elements", How: "assumed", Why: s.fewer + "; measurement decides whether that pays"},
	}, nil
}

// moves reports whether the loop sets a variable on the way to the slice, which is another one then.
func (s *sized) moves(loop ast.Stmt) bool {
	sel, ok := ast.Unparen(s.to).(*ast.SelectorExpr)
	return ok && changes(s.fn.Info(), loop, sel.X)
}

// argueGiven collects the obligations on a slice that others may know.
func (s *sized) argueGiven(loop ast.Stmt) ([]model.Obligation, *prove.Reason) {
	what := types.ExprString(s.to)
	all := []model.Obligation{
		{Text: s.size() + " can be evaluated before the loop that adds them", How: "proven",
			Why: "the loop does so too before its first iteration, and nothing happens in between"},
		{Text: "how much room " + what + " has does not show", How: "assumed",
			Why: "what append leaves is unspecified, so that nobody can rely on it"},
		{Text: what + " comes to hold as many more elements", How: "proven", Why: "every iteration adds as many"},
	}
	there, why := s.writtenThere(loop)
	return append(all, there...), why
}

// writtenThere argues that a slice that other goroutines may know is not written where it was not. It has no obligation for
// another slice.
func (s *sized) writtenThere(loop ast.Stmt) ([]model.Obligation, *prove.Reason) {
	what := types.ExprString(s.to)
	if !s.shared(s.to) {
		return nil, nil
	}
	if s.fewer != "" {
		return nil, prove.Refuse("other goroutines may see " + what + " written where nothing is added, and " + s.fewer)
	}
	for n := range code.All[ast.Node](loop) {
		if waitsAt(s.p, s.fn, n) {
			return nil, prove.Refuse("other goroutines may write " + what + " until what synchronises them at " + s.p.Pos(n.Pos()).String())
		}
	}
	s.guarded = true
	return []model.Obligation{{Text: what + " is written only where it was", How: "proven",
		Why: "it grows only if the loop has an iteration, and nothing in the loop synchronises goroutines"}}, nil
}
