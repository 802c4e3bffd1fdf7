package propose

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/rules/code"
)

// narrower takes a condition before the node into account that ends the
// function where e is larger: if e > 16 { return }.
func (b bounder) narrower(e ast.Expr, r bound) bound {
	for child, up := b.at, b.fn.file.parent(b.at); up != nil; child, up = up, b.fn.file.parent(up) {
		if _, ok := up.(*ast.FuncLit); ok {
			return r
		}
		for _, s := range stmtList(up) {
			if s.Pos() >= child.Pos() {
				break
			}
			test, ok := s.(*ast.IfStmt)
			if !ok || test.Init != nil || !code.Departs(test.Body) || test.Else != nil {
				continue
			}
			for _, cond := range alternatives(test.Cond) {
				if n := b.excess(cond, e); n.known && (!r.known || n.max < r.max) && b.fixedSince(e, s) {
					n.least = r.least
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
func (b bounder) excess(cond, e ast.Expr) bound {
	c, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || !b.equal(c.X, e) {
		return bound{}
	}
	r := b.of(c.Y)
	if _, constant := constInt(b.fn.info(), c.Y); !constant {
		return bound{}
	}
	r.why = "the condition " + types.ExprString(cond) + " before it leaves"
	switch c.Op {
	case token.GTR, token.NEQ:
		return r
	case token.GEQ:
		r.max, r.text = r.max-1, "("+r.text+" - 1)"
		return r
	}
	return bound{}
}

// equal reports whether two expressions are the same variable or its length.
func (b bounder) equal(x, e ast.Expr) bool {
	info := b.fn.info()
	if call, ok := e.(*ast.CallExpr); ok {
		other, ok := ast.Unparen(x).(*ast.CallExpr)
		return ok && builtin(info, other) == "len" && sameVariable(info, other.Args[0], call.Args[0])
	}
	return sameVariable(info, x, e)
}

// fixedSince reports whether a local variable, or the one whose length e is,
// keeps its value from a statement on.
func (b bounder) fixedSince(e ast.Expr, s ast.Stmt) bool {
	if call, ok := e.(*ast.CallExpr); ok {
		e = call.Args[0]
	}
	v := code.Var(b.fn.info(), e)
	if !code.Local(v) {
		return false
	}
	return !assigned(b.fn.info(), b.fn.decl.Body, v) || b.fn.file.loop(s) == nil && !assignedAfter(b.fn, v, s)
}

// assignedAfter reports whether v is written, or its address taken, after a
// statement or in a function literal.
func assignedAfter(fn *function, v *types.Var, s ast.Stmt) bool {
	found := false
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt, *ast.UnaryExpr, *ast.SelectorExpr:
			_, lit := n.(*ast.FuncLit)
			_, address := n.(*ast.UnaryExpr)
			_, method := n.(*ast.SelectorExpr)
			found = found || (lit || address || method || n.End() > s.Pos()) && assigned(fn.info(), n, v)
		}
		return !found
	})
	return found
}
