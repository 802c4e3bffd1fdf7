package code

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Wrapped returns the calls of the function that does nothing but evaluate the expression
// at cur, on a goroutine of its own or here, and return it if it returns anything. Where
// such a function is called, the expression is evaluated, for the values of the parameters.
// There are none where the expression has more around it.
func Wrapped(ix *index.Index, info *types.Info, cur inspector.Cursor) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	decl, f := Decl(info, cur)
	if f == nil || decl.Body == nil || len(decl.Body.List) != 1 {
		return func(func(inspector.Cursor, *ast.CallExpr) bool) {}
	}
	switch s := decl.Body.List[0].(type) {
	case *ast.ReturnStmt:
		if len(s.Results) == 1 && ast.Unparen(s.Results[0]) == cur.Node() {
			return ix.CallsOf(f)
		}
	case *ast.ExprStmt:
		if s.X == cur.Node() {
			return ix.CallsOf(f)
		}
	case *ast.GoStmt:
		if s.Call == cur.Node() {
			return ix.CallsOf(f)
		}
	}
	return func(func(inspector.Cursor, *ast.CallExpr) bool) {}
}

// Returned returns what a call of a function of the package evaluates to where that
// function is one return, in the terms of its parameters; any other expression as it is.
func Returned(ix *index.Index, info *types.Info, x ast.Expr) ast.Expr {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return x
	}
	fd := ix.Decl(Callee(info, call))
	if fd == nil || len(fd.Body.List) != 1 {
		return x
	}
	if ret, ok := fd.Body.List[0].(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
		return ret.Results[0]
	}
	return x
}

// Given yields what an expression at cur may be: for a parameter that its function never
// writes, each argument that a call in the package gives for it, with that call; for all
// else the expression itself, with cur.
func Given(ix *index.Index, info *types.Info, cur inspector.Cursor, x ast.Expr) iter.Seq2[inspector.Cursor, ast.Expr] {
	return func(yield func(inspector.Cursor, ast.Expr) bool) {
		_, f := Decl(info, cur)
		i := parameter(f, Var(info, x))
		if i < 0 || Written(ix, info, Var(info, x), nil) {
			yield(cur, x)
			return
		}
		for at, call := range ix.CallsOf(f) {
			if i < len(call.Args) && !call.Ellipsis.IsValid() && !yield(at, call.Args[i]) {
				return
			}
		}
	}
}

// parameter returns the place of v among the parameters of a function, without those that
// take several arguments; -1 if it has none.
func parameter(f *types.Func, v *types.Var) int {
	if f == nil || v == nil {
		return -1
	}
	sig := f.Signature()
	i := slices.Index(slices.Collect(sig.Params().Variables()), v)
	if sig.Variadic() && i == sig.Params().Len()-1 {
		return -1
	}
	return i
}
