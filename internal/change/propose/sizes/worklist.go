package sizes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// started reads the literal with elements that a local slice begins as, such as the root of a tree that is walked with a list of
// what is to be visited.
func (s *opening) started(v *types.Var) bool {
	value := s.fn.Value(v)
	if value == nil {
		return false
	}
	lit, ok := ast.Unparen(value).(*ast.CompositeLit)
	if !ok || len(lit.Elts) == 0 || lit.Type == nil || slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { _, keyed := e.(*ast.KeyValueExpr); return keyed }) {
		return false
	}
	s.begin = lit
	return true
}

// begins is how many elements the slice begins with.
func (s *opening) begins() int64 {
	if s.begin == nil {
		return 0
	}
	return int64(len(s.begin.Elts))
}

// proposeStarted gives such a slice room. A literal has no room at all, which code may rely on: the slice has to stay within its
// function.
func (s *opening) proposeStarted(room int64) (*model.Change, *prove.Reason) {
	p, f, what := s.p, s.fn.File, types.ExprString(s.to)
	if why := s.shows(); why != nil {
		return nil, why
	}
	if at := outside(p.FlowOf(s.fn, code.Var(s.fn.Info(), s.to))); at != "" {
		return nil, prove.Refuse(at)
	}
	for cut := range code.All[*ast.SliceExpr](s.fn.Decl.Body) {
		if code.SameVariable(s.fn.Info(), cut.X, s.to) && !prove.EndsWithin(s.fn.Info(), cut) {
			return nil, prove.Refuse(types.ExprString(cut) + " may go on behind the length, as far as there is room")
		}
	}
	if f.Commented(s.begin) {
		return nil, prove.Refuse("there is a comment within the literal")
	}
	edits := []model.Edit{
		p.Put(f, s.begin.Pos(), s.begin.Lbrace+1, fmt.Sprintf("append(make(%s, 0, %d), ", p.Source(f, s.begin.Type), room)),
		p.Put(f, s.begin.Rbrace, s.begin.End(), ")"),
	}
	for _, e := range s.begin.Elts {
		text, ok := s.elided(e)
		if !ok {
			return nil, prove.Refuse("the type of its elements is not written there")
		}
		edits = append(edits, p.Put(f, e.Pos(), e.Pos(), text))
	}
	return p.Change(s.fn, edits, model.Change{
		Kind:  "first-room",
		Title: fmt.Sprintf("%s: begin %s with room for %d elements in %s", f.Pkg.Name, what, room, s.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "how much room " + what + " has does not show", How: "proven", Why: "it stays in the function, nothing asks for its capacity, and what append makes of it takes its place"},
			{Text: what + fmt.Sprintf(" comes to hold about %d elements", room), How: "assumed", Why: "measurement decides whether that pays"},
		},
		Retains: fmt.Sprintf("room for %d elements as long as %s lives, however few are added", room, what),
	})
}

// elided is what an element of the literal goes without, as its type is that of the literal's elements; ok is false where that is
// not written there.
func (s *opening) elided(e ast.Expr) (text string, ok bool) {
	lit, isLit := e.(*ast.CompositeLit)
	if !isLit || lit.Type != nil {
		return "", true
	}
	array, ok := s.begin.Type.(*ast.ArrayType)
	if !ok {
		return "", false
	}
	if ptr, ok := array.Elt.(*ast.StarExpr); ok {
		return "&" + s.p.Source(s.fn.File, ptr.X), true
	}
	return s.p.Source(s.fn.File, array.Elt), true
}
