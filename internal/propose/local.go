package propose

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// A local is a declaration that could become a field.
type local struct {
	m        *method
	v        *types.Var
	stmt     ast.Stmt       // the declaration
	spec     *ast.ValueSpec // in a group of declarations, else nil
	name     *ast.Ident
	array    *types.Array
	typeText string
	init     ast.Expr      // initial value of an array, or nil
	made     *ast.CallExpr // the make, for a slice
	length   int64         // of the slice made
	wide     *dispatch     // how far it is followed; see flow
}

// localsAt returns the declarations of the right shape that cover a line.
func (p *Program) localsAt(fn *function, line int) []*local {
	var found []*local
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		if n == nil || !p.covers(n, line) {
			return n == nil || within(n, fn.decl.Body)
		}
		switch n := n.(type) {
		case *ast.DeclStmt:
			gen, _ := n.Decl.(*ast.GenDecl)
			for _, s := range gen.Specs {
				spec, ok := s.(*ast.ValueSpec)
				if ok && gen.Tok == token.VAR && p.covers(spec, line) && len(spec.Names) == 1 && len(spec.Values) <= 1 {
					l := &local{stmt: n, name: spec.Names[0]}
					if len(gen.Specs) > 1 || gen.Lparen.IsValid() {
						l.spec = spec
					}
					if len(spec.Values) == 1 {
						l.init = spec.Values[0]
					}
					if p.shape(fn, l, spec.Type) {
						found = append(found, l)
					}
				}
			}
		case *ast.AssignStmt:
			id, ok := n.Lhs[0].(*ast.Ident)
			if ok && n.Tok == token.DEFINE && len(n.Lhs) == 1 && len(n.Rhs) == 1 {
				l := &local{stmt: n, name: id, init: n.Rhs[0]}
				if p.shape(fn, l, nil) {
					found = append(found, l)
				}
			}
		}
		return true
	})
	return found
}

// shape fills in what a declaration declares, and reports whether that is an
// array or a slice made with a constant size.
func (p *Program) shape(fn *function, l *local, typ ast.Expr) bool {
	info := fn.info()
	v, ok := info.Defs[l.name].(*types.Var)
	if !ok {
		return false
	}
	l.v = v
	if arr, ok := v.Type().Underlying().(*types.Array); ok {
		l.array, l.typeText = arr, p.typeText(fn, v.Type(), typ)
		return referenced(fn, v)
	}
	call, ok := l.init.(*ast.CallExpr)
	slice, isSlice := v.Type().(*types.Slice)
	if !ok || !isSlice || builtin(info, call) != "make" || len(call.Args) < 2 {
		return false
	}
	n, ok1 := constInt(info, call.Args[1])
	size, ok2 := constInt(info, call.Args[len(call.Args)-1])
	if !ok1 || !ok2 {
		return false
	}
	l.made, l.length, l.array = call, n, types.NewArray(slice.Elem(), size)
	elem := p.typeText(fn, slice.Elem(), call.Args[0].(*ast.ArrayType).Elt)
	sizeText := fmt.Sprint(size)
	if global(info, call.Args[len(call.Args)-1]) {
		sizeText = p.source(fn.file, call.Args[len(call.Args)-1])
	}
	l.typeText = "[" + sizeText + "]" + elem
	return true
}

func constInt(info *types.Info, e ast.Expr) (int64, bool) {
	v := info.Types[e].Value
	if v == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}

// typeText writes a type the way the source does, unless that refers to names
// that only the function knows.
func (p *Program) typeText(fn *function, t types.Type, e ast.Expr) string {
	if e != nil && global(fn.info(), e) {
		if arr, ok := e.(*ast.ArrayType); !ok || arr.Len == nil || !isEllipsis(arr.Len) {
			return p.source(fn.file, e)
		}
	}
	return types.TypeString(t, func(other *types.Package) string {
		if other == fn.obj.Pkg() {
			return ""
		}
		return other.Name()
	})
}

func isEllipsis(e ast.Expr) bool { _, ok := e.(*ast.Ellipsis); return ok }

// global reports whether all names in e mean the same outside the function.
func global(info *types.Info, e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent {
			obj := info.Uses[id]
			switch obj.(type) {
			case nil, *types.PkgName:
			default:
				if obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() {
					ok = false
				}
			}
		}
		return ok
	})
	return ok
}

// referenced reports whether an array variable is ever sliced or has its
// address taken or a method called: else it cannot be on the heap.
func referenced(fn *function, v *types.Var) bool {
	found := false
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || fn.info().Uses[id] != v {
			return !found
		}
		switch up := fn.file.parent(id).(type) {
		case *ast.SliceExpr, *ast.SelectorExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || up.Op == token.AND
		case *ast.IndexExpr:
			found = found || addressed(fn.file, up)
		}
		found = found || fn.file.literal(id) != nil
		return !found
	})
	return found
}
