package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Memoized reports whether code runs only until its result is there: in a literal for
// sync.Once, or where a lookup in a map, or a comparison of a field or package
// variable with nil, decides, be it by an if before it that leaves.
func Memoized(info *types.Info, cur inspector.Cursor) bool {
	return memoized(info, cur, remembers)
}

// MemoizedOnce is Memoized for one result: no lookup decides, by which others may find theirs.
func MemoizedOnce(info *types.Info, cur inspector.Cursor) bool {
	return memoized(info, cur, func(info *types.Info, _ inspector.Cursor, n *ast.IfStmt) bool { return Any(n.Cond, unset(info)) })
}

func memoized(info *types.Info, cur inspector.Cursor, remembers func(*types.Info, inspector.Cursor, *ast.IfStmt) bool) bool {
	at := cur.Node()
	for p := range cur.Enclosing((*ast.IfStmt)(nil), (*ast.BlockStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		switch n := p.Node().(type) {
		case *ast.FuncDecl:
			return false
		case *ast.FuncLit:
			if Once(info, p) {
				return true
			}
		case *ast.IfStmt:
			if !Within(n.Cond, at) && (n.Init == nil || !Within(n.Init, at)) && remembers(info, p, n) {
				return true
			}
		case *ast.BlockStmt:
			if slices.ContainsFunc(n.List, func(s ast.Stmt) bool {
				before, ok := s.(*ast.IfStmt)
				return ok && before.End() <= at.Pos() && Departs(before.Body) && remembers(info, p, before)
			}) {
				return true
			}
		}
	}
	return false
}

// Once reports whether a literal is given to sync.Once or sync.OnceFunc and its kin.
func Once(info *types.Info, lit inspector.Cursor) bool {
	call, ok := lit.Parent().Node().(*ast.CallExpr)
	if !ok || lit.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	f := Callee(info, call)
	return f != nil && strings.HasPrefix(FullName(f), "sync.Once")
}

// remembers reports whether an if asks whether something is there already.
func remembers(info *types.Info, around inspector.Cursor, n *ast.IfStmt) bool {
	fn, _ := Func(around)
	return Any(n.Cond, func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.IndexExpr:
			return isMap(info, x.X)
		case *ast.BinaryExpr:
			return unset(info)(x)
		case *ast.Ident:
			v, ok := info.Uses[x].(*types.Var)
			return ok && Local(v) && lookedUp(info, fn.Node(), v)
		}
		return false
	})
}

// unset reports whether a field or package variable is compared with nil.
func unset(info *types.Info) func(*ast.BinaryExpr) bool {
	return func(x *ast.BinaryExpr) bool {
		v := Named(info, x.X)
		return (x.Op == token.EQL || x.Op == token.NEQ) && IsNil(info, x.Y) && v != nil && !Local(v)
	}
}

func isMap(info *types.Info, x ast.Expr) bool {
	t := info.TypeOf(x)
	if t == nil {
		return false
	}
	_, is := t.Underlying().(*types.Map)
	return is
}

// lookedUp reports whether a variable says what a lookup found: v, ok := m[k], or a
// call of a method Load or Get.
func lookedUp(info *types.Info, fn ast.Node, v *types.Var) bool {
	return Any(fn, func(a *ast.AssignStmt) bool {
		names := func(lhs ast.Expr) bool { return Var(info, lhs) == v }
		if len(a.Rhs) != 1 || !slices.ContainsFunc(a.Lhs, names) {
			return false
		}
		switch x := ast.Unparen(a.Rhs[0]).(type) {
		case *ast.IndexExpr:
			return isMap(info, x.X)
		case *ast.CallExpr:
			f := Callee(info, x)
			return f != nil && f.Signature().Recv() != nil && (f.Name() == "Load" || f.Name() == "Get")
		}
		return false
	})
}

// Named returns the variable or field that an expression names last, or nil.
func Named(info *types.Info, x ast.Expr) *types.Var {
	if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok {
		x = sel.Sel
	}
	return Var(info, x)
}
