package code

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// SameVariable reports whether two expressions are the same name, or the same fields
// of one.
//
//go:noinline
func SameVariable(info *types.Info, a, b ast.Expr) bool { return same(info, a, b, false) }

// SameExpr reports whether two expressions name the same value, given that
// nothing they read changes between them: variables, constants, fields,
// concatenations, calls of path functions and an entry's Name.
func SameExpr(info *types.Info, a, b ast.Expr) bool { return same(info, a, b, true) }

// same compares two expressions, which may be computed if values is set.
func same(info *types.Info, a, b ast.Expr, values bool) bool {
	a, b = ast.Unparen(a), ast.Unparen(b)
	if x, y := info.Types[a].Value, info.Types[b].Value; values && (x != nil || y != nil) {
		return x != nil && y != nil && x.Kind() == y.Kind() && constant.Compare(x, token.EQL, y)
	}
	switch x := a.(type) {
	case *ast.Ident:
		y, ok := b.(*ast.Ident)
		return ok && info.ObjectOf(x) != nil && info.ObjectOf(x) == info.ObjectOf(y)
	case *ast.SelectorExpr:
		y, ok := b.(*ast.SelectorExpr)
		if !ok || info.ObjectOf(x.Sel) == nil || info.ObjectOf(x.Sel) != info.ObjectOf(y.Sel) {
			return false
		}
		return info.Selections[x] == nil || same(info, x.X, y.X, values)
	case *ast.BinaryExpr:
		y, ok := b.(*ast.BinaryExpr)
		return ok && values && x.Op == y.Op && same(info, x.X, y.X, true) && same(info, x.Y, y.Y, true)
	case *ast.StarExpr:
		y, ok := b.(*ast.StarExpr)
		return ok && values && same(info, x.X, y.X, true)
	case *ast.CallExpr:
		y, ok := b.(*ast.CallExpr)
		return ok && values && x.Ellipsis.IsValid() == y.Ellipsis.IsValid() && PathCall(info, x) && same(info, x.Fun, y.Fun, true) &&
			slices.EqualFunc(x.Args, y.Args, func(a, b ast.Expr) bool { return same(info, a, b, true) })
	}
	return false
}

// PathCall reports whether a call computes on names only: a function of
// path or path/filepath that does not look at the file system, or the Name of
// a directory entry.
func PathCall(info *types.Info, call *ast.CallExpr) bool {
	f, _ := typeutil.Callee(info, call).(*types.Func)
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "path", "path/filepath":
		switch f.Name() {
		case "Join", "Clean", "Dir", "Base", "Ext", "ToSlash", "FromSlash", "VolumeName":
			return f.Signature().Recv() == nil
		}
	case "io/fs":
		return f.Name() == "Name" && f.Signature().Recv() != nil
	}
	return false
}

// Steady reports whether no variable or field that x reads is assigned, or
// its address taken, between two positions of a function, or captured by a
// literal that assigns it. What calls in between do to fields and package
// variables is not looked at.
func Steady(ix *index.Index, info *types.Info, x ast.Expr, from, to token.Pos) bool {
	return !Any(x, func(id *ast.Ident) bool {
		v, ok := info.ObjectOf(id).(*types.Var)
		if !ok {
			return false
		}
		return Local(v) && Captured(ix, info, v) || slices.ContainsFunc(ix.Uses(v), func(cur inspector.Cursor) bool {
			at := cur.Node().Pos()
			return from <= at && at < to && Writes(info, cur)
		})
	})
}

// Origin returns the statement v := x that gives a local variable its only
// value, and x; nil if there is none or v may be assigned elsewhere.
func Origin(ix *index.Index, info *types.Info, fn ast.Node, v *types.Var) (*ast.AssignStmt, ast.Expr) {
	if !Local(v) || Written(ix, info, v, nil) {
		return nil, nil
	}
	for a := range All[*ast.AssignStmt](fn) {
		for i, lhs := range a.Lhs {
			if id, ok := lhs.(*ast.Ident); ok && a.Tok == token.DEFINE && info.Defs[id] == v {
				return a, a.Rhs[min(i, len(a.Rhs)-1)]
			}
		}
	}
	return nil, nil
}

// Departs reports whether a block ends by going elsewhere: return, continue,
// break, goto or panic.
func Departs(b *ast.BlockStmt) bool {
	if b == nil || len(b.List) == 0 {
		return false
	}
	switch last := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok != token.FALLTHROUGH
	case *ast.ExprStmt:
		if call, ok := last.X.(*ast.CallExpr); ok {
			id, ok := call.Fun.(*ast.Ident)
			return ok && id.Name == "panic"
		}
	}
	return false
}

// LeavesLoop reports whether what follows a statement in its block ends the loop that it
// is in: a return, a break or a goto.
func LeavesLoop(stmt inspector.Cursor) bool {
	return slices.ContainsFunc(Following(stmt), func(s ast.Stmt) bool {
		branch, ok := s.(*ast.BranchStmt)
		_, returns := s.(*ast.ReturnStmt)
		return returns || ok && branch.Tok != token.CONTINUE && branch.Tok != token.FALLTHROUGH
	})
}

// Following returns the statements after stmt in its block or clause.
func Following(stmt inspector.Cursor) []ast.Stmt {
	list := StmtList(stmt.Parent().Node())
	for i, s := range list {
		if s == stmt.Node() {
			return list[i+1:]
		}
	}
	return nil
}

// Mentions reports whether an identifier in a node refers to obj.
//
//go:noinline
func Mentions(info *types.Info, n ast.Node, obj types.Object) bool {
	return Any(n, func(id *ast.Ident) bool { return obj != nil && info.ObjectOf(id) == obj })
}

// NotNil reports whether a condition is v != nil.
func NotNil(info *types.Info, cond ast.Expr, v *types.Var) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && b.Op == token.NEQ && v != nil && Var(info, b.X) == v && IsNil(info, b.Y)
}
