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

// A pair is two slices of one type and length that statements in a row make.
type pair struct{ first, second *element }

// pairsAt returns the pairs that a line makes one or both of.
func pairsAt(p *prove.Program, fn *prove.Function, line int) (found []pair) {
	for s := range code.All[*ast.AssignStmt](fn.Decl.Body) {
		list := code.StmtList(fn.File.Parent(s))
		at := slices.Index(list, ast.Stmt(s)) + 1
		if at == 0 || at == len(list) || !p.Covers(s, line) && !p.Covers(list[at], line) {
			continue
		}
		next, ok := list[at].(*ast.AssignStmt)
		a, b := halfOf(p, fn, s), halfOf(p, fn, next)
		info := fn.Info()
		if ok && a != nil && b != nil && types.Identical(info.TypeOf(a.typ), info.TypeOf(b.typ)) &&
			len(a.expr.(*ast.CallExpr).Args) == len(b.expr.(*ast.CallExpr).Args) && alike(info, a.length(), b.length()) {
			found = append(found, pair{a, b})
		}
	}
	return found
}

// halfOf reads a statement that sets a variable or field to make([]T, n) or make([]T, 0, n); nil for others.
func halfOf(p *prove.Program, fn *prove.Function, s *ast.AssignStmt) *element {
	e := &element{counter: counter{p: p, fn: fn}, stmt: s}
	if s == nil || len(s.Lhs) != 1 || len(s.Rhs) != 1 || !code.Place(s.Lhs[0]) || !e.makesRow(s) || ast.Unparen(s.Rhs[0]) != e.expr {
		return nil
	}
	return e
}

// alike reports whether two expressions are written alike, and their names mean the same.
func alike(info *types.Info, a, b ast.Expr) bool {
	var means [2][]types.Object
	for i, e := range []ast.Expr{a, b} {
		for id := range code.All[*ast.Ident](e) {
			means[i] = append(means[i], info.ObjectOf(id))
		}
	}
	return types.ExprString(a) == types.ExprString(b) && slices.Equal(means[0], means[1])
}

func proposePair(h pair) (*model.Change, *prove.Reason) {
	e, p, f := h.first, h.first.p, h.first.fn.File
	info, n, t := e.fn.Info(), e.length(), e.fn.Info().TypeOf(e.typ)
	m := p.Source(f, n)
	switch size, ok := prove.ConstInt(info, n); {
	case code.Jumps(e.fn.Decl.Body) || hasTypeParams(e.fn):
		return nil, prove.Refuse("the function uses goto or is generic")
	case p.Packages[0].TypesSizes.Sizeof(t) == 0 || ok && size <= 0:
		return nil, prove.Refuse("it takes no memory")
	case !types.Identical(types.Default(info.TypeOf(n)), types.Typ[types.Int]):
		return nil, prove.Refuse(m + " is not an int")
	case code.Acts(info, n) || !code.Steady(f.Pkg.Index(), info, n, e.stmt.Pos(), h.second.stmt.End()):
		return nil, prove.Refuse(m + " may be another number for the second")
	case f.Commented(n) || f.Commented(h.second.expr):
		return nil, prove.Refuse("a comment stands in what is made")
	}
	single, why := p.PointersFree(t)
	if why != nil {
		return nil, why
	}
	edits := h.edits(m)
	a, b := types.ExprString(e.stmt.(*ast.AssignStmt).Lhs[0]), types.ExprString(h.second.stmt.(*ast.AssignStmt).Lhs[0])
	return p.Change(e.fn, edits, model.Change{
		Kind:  "backing-array",
		Title: fmt.Sprintf("%s: make %s and %s of %s in one array", f.Pkg.Name, a, b, e.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "both have " + m + " elements", How: "proven", Why: "nothing sets what that is worked out of before the second is made; where it is out of range, both makes panic"},
			{Text: "one that grows does not reach into the other", How: "proven", Why: "the capacity of each is its own length, as that of the slice that was made"},
			single,
			{Text: "both live and die together", How: "assumed", Why: "statements in a row make them; one that is kept alone keeps the memory of both"},
		},
		Retains: fmt.Sprintf("%s and %s as long as one of them is referred to", a, b),
	})
}

// edits makes the array before both, and cuts them off it; m is the length of each.
func (h pair) edits(m string) []model.Edit {
	e, p, f, all := h.first, h.first.p, h.first.fn.File, h.first.array()
	size, first, second := "2*"+factor(m), m, ""
	if len(e.expr.(*ast.CallExpr).Args) == 3 {
		size, first, second = "0, "+size, "0", m
	}
	return []model.Edit{
		p.Insert(f, e.stmt.Pos(), fmt.Sprintf("%s := make([]%s, %s) // one allocation for both\n", all, p.Source(f, e.typ), size)),
		p.Put(f, e.expr.Pos(), e.expr.End(), fmt.Sprintf("%s[:%s:%s]", all, first, m)),
		p.Put(f, h.second.expr.Pos(), h.second.expr.End(), fmt.Sprintf("%s[%s:%s]", all, m, second)),
	}
}
