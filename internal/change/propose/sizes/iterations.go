package sizes

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// iterations returns the expression that a loop's number of iterations is the
// length or the value of, and the text of that number.
func (c counter) iterations(s ast.Stmt) (of ast.Expr, text string, why *prove.Reason) {
	switch s := s.(type) {
	case *ast.RangeStmt:
		return c.ranged(s)
	case *ast.ForStmt:
		if bound := c.counted(s); bound != nil {
			if _, field := ast.Unparen(bound).(*ast.SelectorExpr); field {
				if same, why := (&prove.Invariant{Prog: c.p, Fn: c.fn, Stmt: s}).Same(bound); !same {
					return nil, "", cmp.Or(why, prove.Refuse(types.ExprString(bound)+" may change in the loop"))
				}
			}
			return c.bound(bound)
		}
	}
	return nil, "", prove.Refuse("the number of iterations is not known before the loop")
}

func (c counter) ranged(s *ast.RangeStmt) (of ast.Expr, text string, why *prove.Reason) {
	x := s.X
	switch t := code.Core(c.fn.Info().TypeOf(x)).(type) {
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			if _, set := code.Core(c.fn.Info().TypeOf(c.to)).(*types.Map); set {
				return nil, "", prove.Refuse("the characters of a text are expected to come again")
			}
			if of = code.Countable(c.fn.Info(), x); of == nil || !code.Predeclared(c.fn.Obj.Pkg(), s.Pos(), "rune") {
				return nil, "", prove.Refuse("a string may have fewer characters than bytes, and nothing names it")
			}
			return of, "len([]rune(" + c.p.Source(c.fn.File, of) + "))", nil // counted without a copy
		}
		return c.bound(x)
	case *types.Chan, *types.Signature:
		return nil, "", prove.Refuse("the number of elements in " + types.ExprString(x) + " is not known before the loop")
	}
	if of = code.Countable(c.fn.Info(), x); of == nil {
		return nil, "", prove.Refuse("the loop ranges over the result of a call, whose length is not known before")
	}
	return of, "len(" + c.p.Source(c.fn.File, of) + ")", nil
}

// counted returns the bound n of for i := 0; i < n; i++ where i and n do not
// change otherwise, or of for i, end := 0, n; i < end; i++; nil for other loops.
func (c counter) counted(s *ast.ForStmt) ast.Expr {
	info := c.fn.Info()
	i, end := code.CountsUp(info, s)
	if i == nil || code.WrittenIn(info, s.Body, i) || changes(info, s.Body, end) {
		return nil
	}
	init := s.Init.(*ast.AssignStmt)
	if v := code.Var(info, end); v != nil && len(init.Lhs) == 2 && info.Defs[init.Lhs[1].(*ast.Ident)] == v {
		return init.Rhs[1]
	}
	return end
}

// bound reads a number of iterations that is given as an integer.
func (c counter) bound(n ast.Expr) (of ast.Expr, text string, why *prove.Reason) {
	info := c.fn.Info()
	t, ok := code.Core(info.TypeOf(n)).(*types.Basic)
	if !ok || t.Info()&types.IsInteger == 0 {
		return nil, "", prove.Refuse("the number of iterations is no integer")
	}
	if call, ok := ast.Unparen(n).(*ast.CallExpr); ok && code.Builtin(info, call) == "len" {
		if of := code.Countable(info, call.Args[0]); of != nil {
			return of, "len(" + c.p.Source(c.fn.File, of) + ")", nil
		}
	}
	if !code.SameVariable(info, n, n) && info.Types[n].Value == nil {
		return nil, "", prove.Refuse("the number of iterations is not the value of a variable or a field")
	}
	text = c.p.Source(c.fn.File, n)
	if k := t.Kind(); k != types.Int && k != types.UntypedInt {
		text = "int(" + text + ")"
	}
	if v := info.Types[n].Value; v != nil && constant.Sign(v) >= 0 || t.Info()&types.IsUnsigned != 0 && t.Kind() < types.Uint32 {
		return n, text, nil
	}
	if !c.p.GoAtLeast(c.fn.File, "go1.21") {
		return nil, "", prove.Refuse("the number of iterations may be negative")
	}
	return n, "max(" + text + ", 0)", nil
}

// predeclared says which function that is to be called before a node is hidden
// there by another declaration: make, or what the text of a size calls.
func (c counter) predeclared(size string, before ast.Node) *prove.Reason {
	for _, name := range []string{"make", "len", "max"} {
		if (name == "make" || strings.Contains(size, name+"(")) && !code.Predeclared(c.fn.Obj.Pkg(), before.Pos(), name) {
			return prove.Refuse(name + " means something else there")
		}
	}
	return nil
}

// changes reports whether a part of a function writes, or takes the address
// of, a variable or field that e reads. Calls are not looked into.
func changes(info *types.Info, part ast.Node, e ast.Expr) bool {
	star := func(x ast.Expr) bool { _, is := ast.Unparen(x).(*ast.StarExpr); return is } // a pointer to anything
	return code.Any(part, func(n ast.Node) bool { return slices.ContainsFunc(code.Assigned(n), star) }) ||
		code.Any(e, func(id *ast.Ident) bool {
			v, isVar := info.Uses[id].(*types.Var)
			return isVar && code.WrittenIn(info, part, v)
		})
}
