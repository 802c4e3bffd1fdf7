package propose

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A purity checks that evaluating the arguments of a call neither does
// anything nor panics, so that they need not be evaluated.
type purity struct {
	p    *Program
	fn   *function
	call *ast.CallExpr // its first argument is the condition
	why  []string
}

func (u *purity) reason() string {
	if len(u.why) == 0 {
		return "they go through no pointer"
	}
	return strings.Join(u.why, "; ")
}

// check returns why evaluating e might be noticed, "" if it cannot be.
func (u *purity) check(e ast.Expr) string {
	info := u.fn.info()
	if info.Types[e].Value != nil {
		return ""
	}
	what := types.ExprString(e)
	switch e := e.(type) {
	case *ast.ParenExpr:
		return u.check(e.X)
	case *ast.Ident, *ast.BasicLit:
		return ""
	case *ast.SelectorExpr:
		return u.selector(e)
	case *ast.StarExpr:
		if why := u.check(e.X); why != "" {
			return why
		}
		return u.pointer(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND || e.Op == token.ARROW {
			return what + " does more than read"
		}
		return u.check(e.X)
	case *ast.BinaryExpr:
		return u.binary(e)
	case *ast.CallExpr:
		return u.callCheck(e)
	}
	return "evaluating " + what + " may have an effect or panic"
}

func (u *purity) binary(e *ast.BinaryExpr) string {
	info := u.fn.info()
	switch e.Op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		return types.ExprString(e) + " may panic"
	case token.EQL, token.NEQ:
		if _, ok := info.TypeOf(e.X).Underlying().(*types.Basic); !ok && !isNil(info, e.Y) {
			return types.ExprString(e) + " may panic"
		}
	}
	if why := u.check(e.X); why != "" {
		return why
	}
	return u.check(e.Y)
}

// callCheck allows conversions that cannot panic, len and cap.
func (u *purity) callCheck(e *ast.CallExpr) string {
	info := u.fn.info()
	if b := builtin(info, e); b == "len" || b == "cap" {
		return u.check(e.Args[0])
	}
	if !info.Types[e.Fun].IsType() {
		return types.ExprString(e) + " is a call: it may have an effect"
	}
	_, fromSlice := info.TypeOf(e.Args[0]).Underlying().(*types.Slice)
	switch to := info.TypeOf(e).Underlying().(type) {
	case *types.Array, *types.Pointer:
		if fromSlice {
			return types.ExprString(e) + " may panic"
		}
	case *types.Basic:
		if to.Kind() == types.UnsafePointer {
			return types.ExprString(e) + " uses unsafe"
		}
	}
	return u.check(e.Args[0])
}

// selector allows package variables, and fields that are not behind a pointer
// that could be nil.
func (u *purity) selector(e *ast.SelectorExpr) string {
	info := u.fn.info()
	s := info.Selections[e]
	if s == nil {
		return "" // of a package
	}
	if s.Kind() != types.FieldVal {
		return types.ExprString(e) + " makes a method value"
	}
	if why := u.check(e.X); why != "" {
		return why
	}
	if throughPointer(s) {
		return types.ExprString(e) + " goes through an embedded pointer that may be nil"
	}
	if _, ptr := info.TypeOf(e.X).Underlying().(*types.Pointer); ptr {
		return u.pointer(e.X)
	}
	return ""
}

// pointer argues that x is not nil when the call is reached: the condition or
// a statement before it goes through it as well.
func (u *purity) pointer(x ast.Expr) string {
	what := types.ExprString(x)
	calls := false
	ast.Inspect(u.call.Args[0], func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		calls = calls || ok && !u.fn.info().Types[c.Fun].IsType()
		return true
	})
	id, simple := ast.Unparen(x).(*ast.Ident)
	stable := simple && u.stable(id)
	if (stable || !calls) && u.goesThrough(u.call.Args[0], x) {
		u.note("the condition goes through " + what + " too")
		return ""
	}
	if stable && u.before(x) {
		u.note("a statement before it goes through " + what + " too")
		return ""
	}
	return what + " may be nil: an argument that is not evaluated no longer panics"
}

func (u *purity) note(s string) {
	for _, have := range u.why {
		if have == s {
			return
		}
	}
	u.why = append(u.why, s)
}

// stable reports whether a variable is local to the function and keeps its
// first value.
func (u *purity) stable(id *ast.Ident) bool {
	v, ok := u.fn.info().Uses[id].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && !assigned(u.fn.info(), u.fn.decl.Body, v)
}

// goesThrough reports whether evaluating n always dereferences x.
func (u *purity) goesThrough(n ast.Node, x ast.Expr) bool {
	found := false
	shallow(n, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			s := u.fn.info().Selections[n]
			found = found || s != nil && s.Kind() == types.FieldVal && u.isPointer(n.X) && sameVariable(u.fn.info(), n.X, x)
		case *ast.StarExpr:
			found = found || sameVariable(u.fn.info(), n.X, x)
		}
	})
	return found
}

func (u *purity) isPointer(e ast.Expr) bool {
	_, ok := u.fn.info().TypeOf(e).Underlying().(*types.Pointer)
	return ok
}

// before reports whether a statement that is always run before the call, in
// its own list or one around it, dereferences x.
func (u *purity) before(x ast.Expr) bool { return u.beforeNode(u.call, x) }

// beforeNode is before for any node in place of the call.
func (u *purity) beforeNode(at ast.Node, x ast.Expr) bool {
	for child, n := at, u.fn.file.parent(at); n != nil; child, n = n, u.fn.file.parent(n) {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		for _, s := range stmtList(n) {
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
