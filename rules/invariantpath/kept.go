package invariantpath

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// kept reports whether the fields and package variables that the path reads
// keep their values throughout the loop: nothing in it stores to them, under
// whatever name, and what it calls is known, or cannot change them either.
func (s *site) kept() bool {
	vars := s.memory()
	if s.stores(s.loop.Node(), vars, true) {
		return false
	}
	if s.calls == known {
		return true // no code of the program runs but the loop's own
	}
	for _, v := range vars {
		if v.Exported() || v.Pkg() != s.p.Pkg || v.Origin() != v || code.Written(s.p.Index, s.p.TypesInfo, v, nil) {
			return false // elsewhere, or under another instance of its type
		}
	}
	for _, f := range s.p.Files {
		if s.stores(f, fields(vars), false) { // nobody has their addresses
			return false
		}
	}
	return true
}

// memory returns the fields and variables that the path reads and that others
// might change.
func (s *site) memory() []*types.Var {
	var vars []*types.Var
	add := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := s.p.TypesInfo.ObjectOf(id).(*types.Var); ok && !code.Local(v) {
				vars = append(vars, v)
			}
		}
		return true
	}
	for _, arg := range s.call.Args {
		ast.Inspect(arg, add)
	}
	for _, def := range s.derived {
		ast.Inspect(def.Rhs[0], add)
	}
	return vars
}

// fields leaves out the variables: these are part of nothing.
func fields(vars []*types.Var) (some []*types.Var) {
	for _, v := range vars {
		if v.IsField() {
			some = append(some, v)
		}
	}
	return some
}

// stores reports whether code stores to what is, or holds, one of some
// variables: by its name, with all that it is part of, or, where pointers to
// it may be about, through one.
func (s *site) stores(in ast.Node, vars []*types.Var, pointers bool) bool {
	found := false
	store := func(x ast.Expr) {
		x = ast.Unparen(x)
		if id, ok := x.(*ast.Ident); ok && (id.Name == "_" || s.p.TypesInfo.Defs[id] != nil) {
			return // a new variable
		}
		for _, v := range vars {
			found = found || s.reaches(x, v, pointers)
		}
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				store(lhs)
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if x != nil && n.Tok == token.ASSIGN {
					store(x)
				}
			}
		case *ast.CallExpr:
			found = found || s.storesElements(n, vars)
		}
		return !found
	})
	return found
}

// reaches reports whether v may be, or be inside, what an assignment to x
// changes; a pointer may be one to v itself if pointers is set.
func (s *site) reaches(x ast.Expr, v *types.Var, pointers bool) bool {
	t := s.p.TypesInfo.TypeOf(x)
	switch x := x.(type) {
	case *ast.Ident:
		return s.p.TypesInfo.ObjectOf(x) == v || holds(t, v)
	case *ast.SelectorExpr:
		w, ok := s.p.TypesInfo.ObjectOf(x.Sel).(*types.Var)
		return ok && w.Origin() == v.Origin() || holds(t, v)
	case *ast.StarExpr:
		return pointers && (t == nil || types.Identical(t, v.Type())) || holds(t, v)
	}
	return holds(t, v)
}

// storesElements reports whether a call of a builtin may store to elements of
// a slice or map that hold one of some variables.
func (s *site) storesElements(call *ast.CallExpr, vars []*types.Var) bool {
	if len(call.Args) == 0 || !s.p.TypesInfo.Types[call.Fun].IsBuiltin() {
		return false
	}
	slice, ok := s.p.TypesInfo.TypeOf(call.Args[0]).Underlying().(*types.Slice)
	id, named := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || !named || id.Name != "copy" && id.Name != "clear" && id.Name != "append" {
		return false
	}
	for _, v := range vars {
		if holds(slice.Elem(), v) {
			return true
		}
	}
	return false
}

// holds reports whether a value of this type has the field v inside.
func holds(t types.Type, v *types.Var) bool {
	if t == nil || !v.IsField() {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if f.Origin() == v.Origin() || holds(f.Type(), v) {
				return true
			}
		}
	case *types.Array:
		return holds(t.Elem(), v)
	}
	return false
}

// own reports whether nobody but the function itself can reach a local
// variable: neither is its address taken, nor a method with a pointer receiver
// called on it.
func (s *site) own(v *types.Var) bool {
	for _, use := range s.p.Index.Uses(v) {
		if !code.Writes(s.p.TypesInfo, use) {
			continue
		}
		if !plainly(use) {
			return false
		}
	}
	return true
}

// plainly reports whether a variable that is written is so by an assignment to
// it or to a field.
func plainly(use inspector.Cursor) bool {
	for c := use; c.Valid(); c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.SelectorExpr_X, edge.IndexExpr_X, edge.ParenExpr_X:
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
			return true
		default:
			return false
		}
	}
	return false
}
