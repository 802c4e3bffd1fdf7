package lookups

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
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
		if r, ok := n.(*ast.RangeStmt); ok && prove.OthersRange(l.fn.Info(), r) {
			return true
		}
		return l.changedIn(n)
	}
	return false
}

func (l *pair) changedIn(n ast.Node) bool { return without(n, l.mayChange) }

// renamedIn reports whether code may change what names the map or the key. Entries may change.
func (l *pair) renamedIn(n ast.Node) bool { return without(n, l.mayRename) }

// without reports whether a part of a node is as is says, or a function literal, which may have such a part.
func without(n ast.Node, is func(ast.Node) bool) bool {
	return code.Any(n, func(n ast.Node) bool {
		_, isLit := n.(*ast.FuncLit)
		return isLit || is(n)
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
	return l.isMap(e) && samePlace(info, e.X, l.first.X) && code.SameExpr(info, e.Index, l.first.Index)
}

func samePlace(info *types.Info, a, b ast.Expr) bool {
	x, ok := ast.Unparen(a).(*ast.IndexExpr)
	y, also := ast.Unparen(b).(*ast.IndexExpr)
	if !ok || !also {
		return code.SameExpr(info, a, b)
	}
	return samePlace(info, x.X, y.X) && code.SameExpr(info, x.Index, y.Index)
}

// mayChange reports whether a node may change the entry, or what names the map
// or the key.
func (l *pair) mayChange(n ast.Node) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		if b := code.Builtin(l.fn.Info(), call); b == "delete" || b == "clear" {
			return true
		}
	}
	return slices.ContainsFunc(code.Assigned(n), l.isEntry) || l.mayRename(n)
}

// isEntry reports whether e may be an entry of a map.
func (l *pair) isEntry(e ast.Expr) bool {
	at, ok := ast.Unparen(e).(*ast.IndexExpr)
	return ok && code.May[*types.Map](l.fn.Info().TypeOf(at.X))
}

// mayRename reports whether a node may change what names the map or the key.
func (l *pair) mayRename(n ast.Node) bool {
	info := l.fn.Info()
	switch n := n.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt:
		return slices.ContainsFunc(code.Assigned(n), l.renamedBy)
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.CallExpr:
		switch code.Builtin(info, n) {
		case "append", "copy", "clear":
			return !l.own(n.Args[0]) && slices.ContainsFunc(code.Kinds(info.TypeOf(n.Args[0])), func(t types.Type) bool {
				list, ok := t.(*types.Slice)
				return ok && l.element(list.Elem())
			})
		}
		return !prove.HarmlessCall(info, n)
	}
	return false
}

// renamedBy reports whether assigning to e may do so.
func (l *pair) renamedBy(e ast.Expr) bool {
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
		if l.isEntry(e) || l.own(e.X) {
			return false
		}
		return l.element(t)
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		if slices.Contains(l.names, info.ObjectOf(e.Sel)) || l.inKey(t) {
			return true
		}
	}
	return l.holds(t)
}

// element reports whether setting elements of a type in some list may do so.
func (l *pair) element(t types.Type) bool { return l.isHeld(t) || l.holds(t) || l.inKey(t) }

// inKey reports whether a pointer or a slice may lead to a part of the key of a type. The address of a local variable
// is not taken.
func (l *pair) inKey(part types.Type) bool {
	info, key := l.fn.Info(), l.first.Index
	of := info.TypeOf(key)
	return of != nil && !code.Local(code.Var(info, key)) && code.Inside(of, func(t types.Type) bool {
		return code.IsTypeParam(t) || t != of && code.Repoints(t, part)
	})
}

// isHeld reports whether a type may be that of a list's element that names the map.
func (l *pair) isHeld(t types.Type) bool {
	return slices.ContainsFunc(l.held, func(h types.Type) bool {
		return code.IsTypeParam(t) || code.IsTypeParam(h) || reflect.TypeOf(t.Underlying()) == reflect.TypeOf(h.Underlying())
	})
}

// own reports whether e is a local list whose memory the function makes, and nothing else refers to while it runs.
func (l *pair) own(e ast.Expr) bool {
	info, body := l.fn.Info(), l.fn.Decl.Body
	v := code.Var(info, e)
	return v != nil && code.Declares(body, v) && !code.Any(body, func(id *ast.Ident) bool { return info.ObjectOf(id) == v && !l.keeps(id, v) })
}

// keeps reports whether a mention of a local list leaves its memory to it alone.
func (l *pair) keeps(id *ast.Ident, v *types.Var) bool {
	f, info := l.fn.File, l.fn.Info()
	if f.Literal(id) != nil {
		return false
	}
	switch up := f.Parent(id).(type) {
	case *ast.AssignStmt:
		i := slices.Index(up.Lhs, ast.Expr(id))
		return i >= 0 && len(up.Lhs) == len(up.Rhs) && l.makes(up.Rhs[i], v)
	case *ast.ValueSpec:
		return len(up.Values) == 0 || len(up.Names) == 1 && l.makes(up.Values[0], v)
	case *ast.ReturnStmt:
		return true
	case *ast.RangeStmt:
		return up.X == ast.Expr(id)
	case *ast.IndexExpr:
		_, set := f.Parent(up).(*ast.AssignStmt)
		return up.X == ast.Expr(id) && set
	case *ast.CallExpr:
		set, _ := f.Parent(up).(*ast.AssignStmt)
		return code.Builtin(info, up) == "len" || code.Builtin(info, up) == "append" && up.Args[0] == ast.Expr(id) &&
			set != nil && len(set.Lhs) == 1 && code.Var(info, set.Lhs[0]) == v
	}
	return false
}

// makes reports whether an expression is a new list, none, or the same with more elements.
func (l *pair) makes(e ast.Expr, v *types.Var) bool {
	info := l.fn.Info()
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		_, array := code.Core(v.Type()).(*types.Array)
		return !array
	case *ast.CallExpr:
		b := code.Builtin(info, e)
		return b == "make" || b == "append" && code.Var(info, e.Args[0]) == v
	}
	return code.IsNil(info, e)
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
			return l.holds(info.TypeOf(e)) || code.May[*types.Array](info.TypeOf(e))
		}
	}
}

// holds reports whether a value may have the field, or the element, that names the map or the key.
func (l *pair) holds(t types.Type) bool {
	if code.IsTypeParam(t) && len(l.held) == 0 {
		return slices.ContainsFunc(l.names, func(obj types.Object) bool { v, ok := obj.(*types.Var); return ok && v.IsField() })
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return code.IsTypeParam(t)
}
