package lookups

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// follow collects the reads of the entry in statements that run after the
// look-up, up to what may change it; it is false if something may.
func (l *pair) follow(list ...ast.Stmt) bool {
	for _, s := range list {
		if !l.span(s) {
			return false
		}
	}
	return true
}

// span walks a statement in the order in which it is evaluated: what is around
// an operand comes after it.
func (l *pair) span(s ast.Stmt) (calm bool) {
	var around []ast.Node
	calm = true
	ast.Inspect(s, func(n ast.Node) bool {
		if n == nil {
			n, around = around[len(around)-1], around[:len(around)-1]
			if calm && l.mayChange(n) {
				calm = false
				l.forget(n, around)
			}
			return true
		}
		if !calm || l.unsure(n) {
			calm = false
			return false
		}
		if at, ok := n.(*ast.IndexExpr); ok && at != l.first && !l.fn.File.AssignedTo(at) && l.same(at) {
			l.reads = append(l.reads, at)
		}
		around = append(around, n)
		return true
	})
	return calm
}

// unsure reports whether a node is one at which the walk ends: code that runs
// at another time, or a loop that may change the entry before it reads it again.
func (l *pair) unsure(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.SendStmt, *ast.LabeledStmt:
		return true
	case *ast.ForStmt, *ast.RangeStmt:
		if r, ok := n.(*ast.RangeStmt); ok {
			switch l.fn.Info().TypeOf(r.X).Underlying().(type) {
			case *types.Signature, *types.Chan:
				return true
			}
		}
		return l.changedIn(n)
	}
	return false
}

func (l *pair) changedIn(n ast.Node) bool {
	return code.Any(n, func(n ast.Node) bool {
		_, isLit := n.(*ast.FuncLit)
		return isLit || l.mayChange(n)
	})
}

// forget drops the reads of the statement that a change stands in, unless they
// are its operands: in which order the two are evaluated is open.
func (l *pair) forget(change ast.Node, around []ast.Node) {
	stmt := change
	for i := len(around) - 1; i >= 0; i-- {
		if _, ok := stmt.(ast.Stmt); ok {
			break
		}
		stmt = around[i]
	}
	l.reads = slices.DeleteFunc(l.reads, func(e *ast.IndexExpr) bool {
		return code.Within(stmt, e) && !code.Within(change, e)
	})
}

// same reports whether an element is the entry that was looked up.
func (l *pair) same(e *ast.IndexExpr) bool {
	info := l.fn.Info()
	return l.isMap(e) && code.SameExpr(info, e.X, l.first.X) && code.SameExpr(info, e.Index, l.first.Index)
}

// mayChange reports whether a node may change the entry, or what names the map
// or the key.
func (l *pair) mayChange(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt:
		return slices.ContainsFunc(code.Assigned(n), l.changedBy)
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.CallExpr:
		switch code.Builtin(l.fn.Info(), n) {
		case "delete", "clear":
			return true
		case "append", "copy":
			return holds(l.fn.Info().TypeOf(n.Args[0]).Underlying().(*types.Slice).Elem())
		}
		return !prove.HarmlessCall(l.fn.Info(), n)
	}
	return false
}

// changedBy reports whether assigning to e may do so.
func (l *pair) changedBy(e ast.Expr) bool {
	info := l.fn.Info()
	t := info.TypeOf(e)
	if t == nil {
		return false // the blank identifier
	}
	if l.partOf(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if info.Defs[e] != nil || slices.Contains(l.names, info.ObjectOf(e)) {
			return info.Defs[e] == nil
		}
	case *ast.IndexExpr:
		if l.isMap(e) {
			return true
		}
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		if slices.Contains(l.names, info.ObjectOf(e.Sel)) {
			return true
		}
	}
	return holds(t)
}

// partOf reports whether e is a part of what names the map or the key, such as a field
// of a key that is a struct.
func (l *pair) partOf(e ast.Expr) bool {
	info := l.fn.Info()
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		default:
			return false
		}
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && slices.Contains(l.names, info.ObjectOf(sel.Sel)) || code.SameExpr(info, e, l.first.Index) {
			return holds(info.TypeOf(e))
		}
	}
}

// holds reports whether a value may have the field that names the map or the key.
func holds(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}
