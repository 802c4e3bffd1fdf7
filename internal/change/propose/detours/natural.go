package detours

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// inPlace reports whether values of a type that are equal are the same, and < orders all of them: integers and
// strings, but no floating-point numbers.
func inPlace(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0
}

// natural reports whether the elements are put in their own order: the comparison that was written is of
// whole elements.
func (c *sorting) natural(o *order, body []string) bool {
	return inPlace(c.elem) && len(body) == 1 && slices.ContainsFunc(o.needs, func(path string) bool {
		return body[0] == "return "+placeholder(path)+".Compare("+o.a+", "+o.b+")"
	})
}

// plain proposes slices.Sort for a call that puts elements in their own order.
func proposePlain(c *sorting) (*model.Change, *prove.Reason) {
	f, p, pos := c.fn.File, c.p, c.call.Pos()
	if f.Commented(c.call) {
		return nil, prove.Refuse("there is a comment within the call")
	}
	q := p.Qualifier(f, pos, "slices")
	if q == "" {
		return nil, prove.Refuse("the name slices means something else there")
	}
	old := "" // the package that may be needed no more
	for _, path := range []string{"sort", "cmp", "strings"} {
		if code.Qualified(c.fn.Info(), c.call.Fun, path) || len(c.call.Args) == 2 && code.Qualified(c.fn.Info(), c.call.Args[1], path) {
			old = path
		}
	}
	imports, ok := p.Reimport(f, pos, []string{"slices"}, old, c.call)
	if !ok {
		return nil, prove.Refuse("package slices cannot be imported in " + f.Name)
	}
	edits := append(imports, p.Put(f, pos, c.call.End(), fmt.Sprintf("%s.Sort(%s)", q, p.Source(f, c.of))))
	return p.Change(c.fn, edits, model.Change{
		Kind:  "typed-sort",
		Title: fmt.Sprintf("%s: sort %s in its own order in %s", f.Pkg.Name, prove.Short(types.ExprString(c.of)), c.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the elements end up in the same order", How: "proven", Why: "whole elements are compared by <, which orders all values of the type, and equal ones are the same"},
		},
	})
}

// comparedAt returns the calls on a line of slices.SortFunc and SortStableFunc that put numbers or texts in
// their own order.
func comparedAt(p *prove.Program, fn *prove.Function, line int) []*sorting {
	var found []*sorting
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		target := code.Callee(fn.Info(), call)
		if target == nil || !p.Covers(call, line) || len(call.Args) != 2 ||
			!slices.Contains([]string{"slices.SortFunc", "slices.SortStableFunc"}, target.Origin().FullName()) {
			continue
		}
		slice, ok := fn.Info().TypeOf(call.Args[0]).Underlying().(*types.Slice)
		if ok && inPlace(slice.Elem()) && ascends(fn.Info(), call.Args[1]) {
			found = append(found, &sorting{p: p, fn: fn, call: call, of: call.Args[0], by: fn, elem: slice.Elem()})
		}
	}
	return found
}

// ascends reports whether a function compares its two parameters themselves by <, in three ways.
func ascends(info *types.Info, by ast.Expr) bool {
	lit, ok := ast.Unparen(by).(*ast.FuncLit)
	if !ok {
		return compares(info, by)
	}
	var params []types.Object
	for _, field := range lit.Type.Params.List {
		for _, id := range field.Names {
			params = append(params, info.Defs[id])
		}
	}
	if len(params) != 2 {
		return false
	}
	if len(lit.Body.List) > 3 {
		return false
	}
	for i, s := range lit.Body.List {
		switch s := s.(type) {
		case *ast.IfStmt: // if a < b { return -1 }, and if a > b { return 1 } behind it
			if s.Init != nil || s.Else != nil || len(s.Body.List) != 1 || !ordered(info, s.Cond, params, i == 0) || sign(info, s.Body.List[0]) != 2*i-1 {
				return false
			}
		case *ast.ReturnStmt:
			if len(s.Results) != 1 || i+1 < len(lit.Body.List) {
				return false
			}
			if i > 0 {
				return sign(info, s) == 0 || i == 1 && sign(info, s) == 1
			}
			call, ok := ast.Unparen(s.Results[0]).(*ast.CallExpr)
			return ok && len(call.Args) == 2 && compares(info, call.Fun) && prove.IsUseOf(info, call.Args[0], params[0]) && prove.IsUseOf(info, call.Args[1], params[1])
		default:
			return false
		}
	}
	return false
}

// compares reports whether an expression is cmp.Compare or strings.Compare.
func compares(info *types.Info, e ast.Expr) bool {
	e = ast.Unparen(e)
	if x, ok := e.(*ast.IndexExpr); ok {
		e = x.X
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && (fn.FullName() == "cmp.Compare" || fn.FullName() == "strings.Compare")
}

// ordered reports whether a condition is a < b of two parameters, or a > b.
func ordered(info *types.Info, cond ast.Expr, params []types.Object, less bool) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || b.Op != token.LSS && b.Op != token.GTR {
		return false
	}
	l, r := b.X, b.Y
	if (b.Op == token.LSS) != less {
		l, r = r, l
	}
	return prove.IsUseOf(info, l, params[0]) && prove.IsUseOf(info, r, params[1])
}

// sign returns the sign of the constant that a statement returns; 2 for other statements.
func sign(info *types.Info, s ast.Stmt) int {
	r, ok := s.(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return 2
	}
	n, ok := prove.ConstInt(info, r.Results[0])
	switch {
	case !ok:
		return 2
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}
