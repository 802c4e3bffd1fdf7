package code

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
)

// Stores returns where code stores to what is, or holds, one of some variables and
// fields, or nil: by its name, with all that it is part of, or, where pointers to it may
// be about, through one.
func Stores(info *types.Info, in ast.Node, vars []*types.Var, pointers bool) ast.Node {
	changes := func(x ast.Expr) bool {
		x = ast.Unparen(x)
		if id, ok := x.(*ast.Ident); ok && (id.Name == "_" || info.Defs[id] != nil) {
			return false // a new variable
		}
		return slices.ContainsFunc(vars, func(v *types.Var) bool { return reachesVar(info, x, v, pointers) })
	}
	for n := range All[ast.Node](in) {
		call, ok := n.(*ast.CallExpr)
		if slices.ContainsFunc(Assigned(n), changes) || ok && storesElements(info, call, vars) {
			return n
		}
	}
	return nil
}

// Assigned returns what a statement assigns to, or counts up or down: of a loop its key and value. It is nil for other nodes.
func Assigned(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		return slices.DeleteFunc([]ast.Expr{n.Key, n.Value}, func(e ast.Expr) bool { return e == nil })
	}
	return nil
}

// Repoints reports whether a pointer to one type may point to a variable of another: a conversion turns it into that, or what a
// type parameter stands for.
func Repoints(t, v types.Type) bool {
	if IsTypeParam(t) || IsTypeParam(v) || types.Identical(t.Underlying(), v.Underlying()) {
		return true
	}
	return (Parameterized(t) || Parameterized(v)) && reflect.TypeOf(t.Underlying()) == reflect.TypeOf(v.Underlying())
}

// reachesVar reports whether v may be, or be inside, what an assignment to x
// changes; a pointer may be one to v itself if pointers is set.
func reachesVar(info *types.Info, x ast.Expr, v *types.Var, pointers bool) bool {
	t := info.TypeOf(x)
	switch x := x.(type) {
	case *ast.Ident:
		return info.ObjectOf(x) == v || Holds(t, v)
	case *ast.SelectorExpr:
		w, ok := info.ObjectOf(x.Sel).(*types.Var)
		return ok && w.Origin() == v.Origin() || Holds(t, v)
	case *ast.StarExpr:
		return pointers && (t == nil || Repoints(t, v.Type())) || reachesElement(t, v)
	case *ast.IndexExpr:
		return reachesElement(t, v)
	}
	return Holds(t, v)
}

// reachesElement reports whether v may be an array with elements of a type, or inside such an element.
func reachesElement(t types.Type, v *types.Var) bool {
	return Holds(t, v) || slices.ContainsFunc(Kinds(v.Type()), func(of types.Type) bool {
		array, ok := of.(*types.Array)
		return ok && (t == nil || Repoints(t, array.Elem()))
	})
}

// storesElements reports whether a call of a builtin may store to elements of
// a slice that are, or hold, one of some variables or a part of one.
func storesElements(info *types.Info, call *ast.CallExpr, vars []*types.Var) bool {
	if b := Builtin(info, call); b != "copy" && b != "clear" && b != "append" {
		return false
	}
	return slices.ContainsFunc(Kinds(info.TypeOf(call.Args[0])), func(t types.Type) bool {
		list, ok := t.(*types.Slice)
		return ok && slices.ContainsFunc(vars, func(v *types.Var) bool { return reachesElement(list.Elem(), v) })
	})
}

// Holds reports whether a value of this type may have the field v inside: one of a type parameter may.
func Holds(t types.Type, v *types.Var) bool {
	return t != nil && v.IsField() && Inside(t, func(t types.Type) bool {
		s, ok := t.Underlying().(*types.Struct)
		return IsTypeParam(t) || ok && slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return f.Origin() == v.Origin() })
	})
}
