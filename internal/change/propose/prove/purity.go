package prove

import (
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A Purity checks that evaluating the arguments of a call neither does
// anything nor panics, so that they need not be evaluated.
type Purity struct {
	Prog *Program
	Fn   *Function
	Call *ast.CallExpr // its first argument is the condition
	Why  []string
}

// Check returns why evaluating e might be noticed, nil if it cannot be.
func (u *Purity) Check(e ast.Expr) *Reason {
	eval := code.Eval{Info: u.Fn.Info(), NotNil: u.notNil, Plain: true, Call: func(call *ast.CallExpr) code.Loss {
		return code.Loss{Grade: code.AnyLoss, Why: types.ExprString(call) + " is a call: it may have an effect"}
	}}
	return Refuse(eval.Of(e).Why)
}

// notNil argues that x is not nil when the call is reached: the condition or
// a statement before it goes through it as well.
func (u *Purity) notNil(x ast.Expr) bool {
	what := types.ExprString(x)
	calls := code.Any(u.Call.Args[0], func(c *ast.CallExpr) bool { return !u.Fn.Info().Types[c.Fun].IsType() })
	id, simple := ast.Unparen(x).(*ast.Ident)
	stable := simple && u.Stable(id)
	if (stable || !calls) && u.goesThrough(u.Call.Args[0], x) {
		u.note("the condition goes through " + what + " too")
		return true
	}
	if stable && u.Before(x) {
		u.note("a statement before it goes through " + what + " too")
		return true
	}
	return false
}

func (u *Purity) note(s string) {
	for _, have := range u.Why {
		if have == s {
			return
		}
	}
	u.Why = append(u.Why, s)
}

// Stable reports whether a variable is local to the function and keeps its
// first value.
func (u *Purity) Stable(id *ast.Ident) bool {
	v, ok := u.Fn.Info().Uses[id].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && !code.WrittenIn(u.Fn.Info(), u.Fn.Decl.Body, v)
}

// goesThrough reports whether evaluating n always dereferences x.
func (u *Purity) goesThrough(n ast.Node, x ast.Expr) bool {
	found := false
	shallow(u.Fn, n, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			s := u.Fn.Info().Selections[n]
			found = found || s != nil && s.Kind() == types.FieldVal && u.IsPointer(n.X) && code.SameVariable(u.Fn.Info(), n.X, x)
		case *ast.StarExpr:
			found = found || code.SameVariable(u.Fn.Info(), n.X, x)
		}
	})
	return found
}

// IsPointer reports whether e is a pointer.
func (u *Purity) IsPointer(e ast.Expr) bool {
	_, ok := u.Fn.Info().TypeOf(e).Underlying().(*types.Pointer)
	return ok
}

// Before reports whether a statement that is always run before the call, in
// its own list or one around it, dereferences x.
func (u *Purity) Before(x ast.Expr) bool { return u.Passed(u.Call, x) }

// Passed is before for any node of the function.
func (u *Purity) Passed(at ast.Node, x ast.Expr) bool {
	for child, n := at, u.Fn.File.Parent(at); n != nil; child, n = n, u.Fn.File.Parent(n) {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		for _, s := range code.StmtList(n) {
			if s.Pos() >= child.Pos() {
				break
			}
			switch s := s.(type) {
			case *ast.IfStmt:
				if s.Init != nil && u.goesThrough(s.Init, x) || u.goesThrough(s.Cond, x) {
					return true
				}
			case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt:
				if u.goesThrough(s, x) {
					return true
				}
			}
		}
	}
	return false
}
