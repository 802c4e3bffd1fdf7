package bounds

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// narrower takes a condition before the node into account that ends the
// function where e is larger: if e > 16 { return }.
func (b Bounder) narrower(e ast.Expr, r Bound) Bound {
	for child, up := b.At, b.Fn.File.Parent(b.At); up != nil; child, up = up, b.Fn.File.Parent(up) {
		if _, ok := up.(*ast.FuncLit); ok {
			return r
		}
		for _, s := range code.StmtList(up) {
			if s.Pos() >= child.Pos() {
				break
			}
			test, ok := s.(*ast.IfStmt)
			if !ok || test.Init != nil || !code.Departs(test.Body) || test.Else != nil {
				continue
			}
			for _, cond := range alternatives(test.Cond) {
				if n := b.excess(cond, e); n.Known && (!r.Known || n.Max < r.Max) && b.fixedSince(e, s) {
					n.Least = r.Least
					r = n
				}
			}
		}
	}
	return r
}

// alternatives returns the operands of || in a condition.
func alternatives(e ast.Expr) []ast.Expr {
	if or, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && or.Op == token.LOR {
		return append(alternatives(or.X), alternatives(or.Y)...)
	}
	return []ast.Expr{e}
}

// excess reads e > n, e >= n and e != n with a constant n.
func (b Bounder) excess(cond, e ast.Expr) Bound {
	c, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || !b.equal(c.X, e) {
		return Bound{}
	}
	r := b.Of(c.Y)
	if _, constant := prove.ConstInt(b.Fn.Info(), c.Y); !constant {
		return Bound{}
	}
	r.Why = "the condition " + types.ExprString(cond) + " before it leaves"
	switch c.Op {
	case token.GTR, token.NEQ:
		return r
	case token.GEQ:
		r.Max, r.Text = r.Max-1, "("+r.Text+" - 1)"
		return r
	}
	return Bound{}
}

// equal reports whether two expressions are the same variable or its length.
func (b Bounder) equal(x, e ast.Expr) bool {
	info := b.Fn.Info()
	if call, ok := e.(*ast.CallExpr); ok {
		other, ok := ast.Unparen(x).(*ast.CallExpr)
		return ok && code.Builtin(info, other) == "len" && code.SameVariable(info, other.Args[0], call.Args[0])
	}
	return code.SameVariable(info, x, e)
}

// fixedSince reports whether a local variable, or the one whose length e is,
// keeps its value from a statement on.
func (b Bounder) fixedSince(e ast.Expr, s ast.Stmt) bool {
	if call, ok := e.(*ast.CallExpr); ok {
		e = call.Args[0]
	}
	v := code.Var(b.Fn.Info(), e)
	if !code.Local(v) {
		return false
	}
	return !code.WrittenIn(b.Fn.Info(), b.Fn.Decl.Body, v) || b.Fn.File.Loop(s) == nil && !assignedAfter(b.Fn, v, s)
}

// assignedAfter reports whether v is written, or its address taken, after a
// statement or in a function literal.
func assignedAfter(fn *prove.Function, v *types.Var, s ast.Stmt) bool {
	return code.Any(fn.Decl.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.UnaryExpr, *ast.SelectorExpr:
			return code.WrittenIn(fn.Info(), n, v)
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt:
			return n.End() > s.Pos() && code.WrittenIn(fn.Info(), n, v)
		}
		return false
	})
}
