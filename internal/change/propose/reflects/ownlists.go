package reflects

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// elementOf returns the type of an element of a literal; of no type that is known, it is an invalid one.
func elementOf(info *types.Info, lit *ast.CompositeLit, e, key ast.Expr) types.Type {
	switch t := code.Pointee(info.TypeOf(lit)).Underlying().(type) {
	case interface{ Elem() types.Type }:
		return t.Elem()
	case *types.Struct:
		if id, ok := key.(*ast.Ident); ok && info.Uses[id] != nil {
			return info.Uses[id].Type()
		}
		if i := slices.Index(lit.Elts, e); key == nil && i >= 0 {
			return t.Field(i).Type()
		}
	}
	return types.Typ[types.Invalid]
}

// own reports whether an expression is a local variable whose list or map is made in the function.
func own(fn *prove.Function, e ast.Expr) bool {
	info, f := fn.Info(), fn.File
	v := code.Var(info, e)
	if !code.Local(v) || !code.Declares(fn.Decl.Body, v) {
		return false
	}
	if _, named := fn.Declaration(v).(*ast.Ident); !named {
		return false // of a type switch
	}
	return !code.Any(fn.Decl.Body, func(id *ast.Ident) bool {
		if info.ObjectOf(id) != v {
			return false
		}
		switch up := f.Parent(id).(type) {
		case *ast.AssignStmt:
			k := slices.Index(up.Lhs, ast.Expr(id))
			return k >= 0 && (len(up.Lhs) != len(up.Rhs) || !makes(info, up.Rhs[k], v))
		case *ast.ValueSpec:
			k := slices.Index(up.Names, id)
			return k >= 0 && len(up.Values) > 0 && (len(up.Values) != len(up.Names) || !makes(info, up.Values[k], v))
		case *ast.RangeStmt:
			return up.X != ast.Expr(id)
		case *ast.Field:
			return true // a parameter of a literal
		}
		return false
	})
}

// makes reports whether an expression is a new list or map, or a part or an extension of what a variable has.
func makes(info *types.Info, e ast.Expr, v *types.Var) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.SliceExpr:
		return code.Var(info, e.X) == v
	case *ast.CallExpr:
		name := code.Builtin(info, e)
		return name == "make" || name == "append" && code.Var(info, e.Args[0]) == v
	}
	return code.IsNil(info, e)
}

// extends reports whether an append adds to a list of the function's own, of the same type.
func extends(fn *prove.Function, call *ast.CallExpr) bool {
	info := fn.Info()
	list, ok := info.TypeOf(call.Args[0]).Underlying().(*types.Slice)
	if !ok || !own(fn, call.Args[0]) {
		return false
	}
	return !slices.ContainsFunc(call.Args[1:], func(a ast.Expr) bool {
		t := info.TypeOf(a)
		if more, ok := t.Underlying().(*types.Slice); ok && call.Ellipsis.IsValid() {
			t = more.Elem()
		}
		return !types.Identical(t, list.Elem())
	})
}

// pointed reports whether an address is that of a new struct in a local variable, and only its fields are read.
func pointed(fn *prove.Function, e *ast.UnaryExpr) bool {
	info, f := fn.Info(), fn.File
	_, made := e.X.(*ast.CompositeLit)
	to, ok := f.Parent(e).(*ast.AssignStmt)
	if !made || !ok || len(to.Lhs) != 1 {
		return false
	}
	v := code.Var(info, to.Lhs[0])
	if !code.Local(v) || !code.Declares(fn.Decl.Body, v) {
		return false
	}
	for id := range prove.UsesIn(info, fn.Decl.Body, v) {
		sel, read := f.Parent(id).(*ast.SelectorExpr)
		read = read && info.Selections[sel] != nil && info.Selections[sel].Kind() == types.FieldVal && !f.AssignedTo(sel) && !prove.Addressed(f, sel)
		_, compared := f.Parent(id).(*ast.BinaryExpr)
		if f.Literal(id) != f.Literal(e) || !read && !compared && !f.AssignedTo(id) {
			return false
		}
	}
	return true
}
