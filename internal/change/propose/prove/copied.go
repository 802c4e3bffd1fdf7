package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// CopiedAt says where in what was loaded a value is copied that holds the struct of a field: both have what the field
// refers to then. It is "" if that is nowhere but in nodes for which fine holds, or the struct has no name.
func (p *Surroundings) CopiedAt(pkg *Package, field *types.Var, fine func(f *File, info *types.Info, n ast.Node) bool) (at string) {
	owner := OwnerOf(field)
	if owner == nil {
		return ""
	}
	p.EachFile(pkg, func(f *File, info *types.Info) {
		for n := range code.All[ast.Node](f.Syntax) {
			if at == "" && !f.Test && p.copies(f, info, n, owner) && (fine == nil || !fine(f, info, n)) {
				at = p.Pos(n.Pos()).String()
			}
		}
	})
	return at
}

// copies reports whether a node copies a value that holds the struct: as an expression, or out of what holds such values.
func (p *Module) copies(f *File, info *types.Info, n ast.Node, named *types.Named) bool {
	return copiesValue(f, info, n, named) || p.copiesOut(f, info, n, named)
}

// copiesOut reports whether a node copies a value that holds the struct out of the elements that a loop goes over, or a call
// does, out of an interface, or into a method value.
func (p *Module) copiesOut(f *File, info *types.Info, n ast.Node, named *types.Named) bool {
	switch n := n.(type) {
	case *ast.RangeStmt:
		return slices.ContainsFunc([]ast.Expr{n.Key, n.Value}, func(x ast.Expr) bool {
			id, ok := x.(*ast.Ident)
			return x != nil && !(ok && id.Name == "_") && Holds(info.TypeOf(x), named)
		})
	case *ast.TypeAssertExpr:
		return n.Type != nil && Holds(info.TypeOf(n.Type), named)
	case *ast.TypeSwitchStmt:
		return code.Any(n.Body, func(c *ast.CaseClause) bool {
			return slices.ContainsFunc(c.List, func(t ast.Expr) bool { return info.Types[t].IsType() && Holds(info.TypeOf(t), named) })
		})
	case *ast.SelectorExpr:
		return bindsValue(f, info, n, named)
	case *ast.CallExpr:
		return p.callCopies(f, info, n, named)
	}
	return false
}

// bindsValue reports whether a method of the struct itself, and not of a pointer to it, is asked for now and called later:
// it works on a copy.
func bindsValue(f *File, info *types.Info, sel *ast.SelectorExpr, named *types.Named) bool {
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || !Holds(s.Obj().(*types.Func).Signature().Recv().Type(), named) {
		return false
	}
	call, ok := f.Parent(sel).(*ast.CallExpr)
	return !ok || call.Fun != ast.Expr(sel) || f.Later(call)
}

// callCopies reports whether a call copies elements that hold the struct: by append or copy, in a generic function of the
// module, or to what a function outside returns.
func (p *Module) callCopies(f *File, info *types.Info, call *ast.CallExpr, named *types.Named) bool {
	among := func(t types.Type) bool { return elementHolds(t, named) }
	switch code.Builtin(info, call) {
	case "append":
		if !among(info.TypeOf(call)) {
			return false
		}
		to, ok := f.Parent(call).(*ast.AssignStmt)
		return call.Ellipsis.IsValid() || !ok || len(to.Lhs) != 1 || types.ExprString(to.Lhs[0]) != types.ExprString(call.Args[0])
	case "copy":
		return among(info.TypeOf(call.Args[0]))
	}
	fn := code.Callee(info, call)
	if fn == nil || fn.Signature().Recv() != nil || !slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return among(info.TypeOf(a)) }) {
		return false
	}
	if p.InModule(fn) {
		return fn.Origin().Signature().TypeParams().Len() > 0
	}
	out := info.TypeOf(call)
	return fn.FullName() == "maps.Copy" || among(out) || Holds(out, named)
}

// elementHolds reports whether a type is one of lists, maps or iterators whose elements hold the struct.
func elementHolds(t types.Type, named *types.Named) bool {
	return t != nil && code.Deep(t, false, func(t types.Type, in func(types.Type) bool) bool {
		switch u := code.Core(t).(type) {
		case *types.Slice:
			return Holds(u.Elem(), named)
		case *types.Map:
			return Holds(u.Elem(), named)
		case *types.Signature:
			return code.Parts(u.Params(), func(t types.Type) bool { return in(t) || Holds(t, named) })
		}
		return false
	})
}

// copiesValue reports whether a node is an expression that copies an existing value that holds the struct.
func copiesValue(f *File, info *types.Info, n ast.Node, named *types.Named) bool {
	var e ast.Expr
	switch n := n.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
		e = n.(ast.Expr)
	default:
		return false
	}
	tv, ok := info.Types[e]
	if id, isIdent := e.(*ast.Ident); isIdent {
		v, isVar := info.Uses[id].(*types.Var)
		if !isVar || v.IsField() {
			return false
		}
		tv.Type = v.Type()
	} else if !ok || !tv.IsValue() {
		return false
	}
	if !Holds(tv.Type, named) {
		return false
	}
	switch up := f.Parent(e).(type) {
	case *ast.SelectorExpr:
		return code.Addressing(info, up) && received(f, info, e)
	case *ast.StarExpr, *ast.ParenExpr, *ast.ExprStmt:
		return false
	case *ast.UnaryExpr:
		return up.Op != token.AND || received(f, info, e)
	case *ast.IndexExpr, *ast.SliceExpr:
		return false
	case *ast.AssignStmt:
		return !slices.Contains(up.Lhs, e)
	case *ast.ReturnStmt: // a local variable that is returned dies
		if id, ok := e.(*ast.Ident); ok {
			v := info.Uses[id]
			return v == nil || v.Parent() == v.Pkg().Scope() || received(f, info, id) || shared(f, info, id)
		}
	case *ast.CallExpr:
		if code.Builtin(info, up) == "len" {
			return false
		}
	case *ast.RangeStmt:
		return up.X == e && up.Value != nil
	}
	return true
}

// received reports whether an expression is the receiver of a method that works on a value, or is within it: it is a copy of
// the caller's, which no expression of the caller shows.
func received(f *File, info *types.Info, e ast.Expr) bool {
	for {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok || info.Selections[sel] == nil || info.Selections[sel].Indirect() {
			break
		}
		e = sel.X
	}
	v := code.Var(info, e)
	decl := declarationAround(f, e)
	return v != nil && decl != nil && decl.Recv != nil && code.Declares(decl.Recv, v)
}

// shared reports whether a variable that is returned may live on: around the function literal that returns it, or by its
// address.
func shared(f *File, info *types.Info, id *ast.Ident) bool {
	v, decl := info.Uses[id], declarationAround(f, id)
	lit := f.Literal(id)
	return lit != nil && !code.Declares(lit, v) || decl != nil && code.Any(decl.Body, func(u *ast.UnaryExpr) bool {
		return u.Op == token.AND && IsUseOf(info, u.X, v)
	})
}

// declarationAround returns the declared function around a node, nil if there is none.
func declarationAround(f *File, n ast.Node) *ast.FuncDecl {
	for up := f.Parent(n); up != nil; up = f.Parent(up) {
		if decl, ok := up.(*ast.FuncDecl); ok {
			return decl
		}
	}
	return nil
}
