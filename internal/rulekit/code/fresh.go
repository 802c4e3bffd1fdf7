package code

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Fresh returns the &T{…} or new(T) that an expression of a function is, or that is the
// only value of the local variable that it names. For &v it is the name where v is
// declared, and for a call of a constructor of the package the call. It is nil if T is no
// struct, or there is none.
func Fresh(ix *index.Index, info *types.Info, fn ast.Node, x ast.Expr) (made ast.Expr, t types.Type) {
	return fresh(ix, info, fn, x, false)
}

// FreshOrNil is Fresh where a constructor may also return nil, alone or with an error.
func FreshOrNil(ix *index.Index, info *types.Info, fn ast.Node, x ast.Expr) (made ast.Expr, t types.Type) {
	return fresh(ix, info, fn, x, true)
}

func fresh(ix *index.Index, info *types.Info, fn ast.Node, x ast.Expr, orNil bool) (made ast.Expr, t types.Type) {
	x = ast.Unparen(x)
	results := 1 // of the call that x is
	if v := Var(info, x); v != nil {
		var assign *ast.AssignStmt
		if assign, x = Origin(ix, info, fn, v); assign != nil && len(assign.Rhs) < len(assign.Lhs) {
			if results = len(assign.Lhs); info.Defs[assign.Lhs[0].(*ast.Ident)] != v {
				return nil, nil
			}
		}
	}
	made, t = newHere(info, fn, x)
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok && made == nil {
		if f := Callee(info, call); constructs(ix, info, f, orNil) && f.Signature().Results().Len() == results {
			made, t = call, f.Signature().Results().At(0).Type().Underlying().(*types.Pointer).Elem()
		}
	}
	if t != nil {
		if _, ok := t.Underlying().(*types.Struct); ok {
			return made, t
		}
	}
	return nil, nil
}

// newHere is Fresh for an expression that makes the value itself.
func newHere(info *types.Info, fn ast.Node, x ast.Expr) (made ast.Expr, t types.Type) {
	switch x := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		if x.Op != token.AND {
			return nil, nil
		}
		if lit, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok {
			return x, info.TypeOf(lit)
		}
		if id := localDecl(info, fn, Var(info, x.X)); id != nil {
			return id, info.TypeOf(x.X)
		}
	case *ast.CallExpr:
		if IsBuiltin(info, x, "new") && info.Types[x.Args[0]].IsType() {
			return x, info.TypeOf(x.Args[0])
		}
	}
	return nil, nil
}

// localDecl returns the name that declares a variable in the body of a function.
func localDecl(info *types.Info, fn ast.Node, v *types.Var) (found *ast.Ident) {
	if v == nil || v.Kind() != types.LocalVar {
		return nil
	}
	for id := range All[*ast.Ident](fn) {
		if info.Defs[id] == v {
			return id
		}
	}
	return nil
}

// constructs reports whether each return of a function of the package gives a struct that
// it made. orNil lets nil pass, and an error beside it.
func constructs(ix *index.Index, info *types.Info, f *types.Func, orNil bool) bool {
	fd := ix.Decl(f)
	if fd == nil {
		return false
	}
	results := f.Signature().Results()
	n := results.Len()
	if n != 1 && (!orNil || n != 2 || !IsError(results.At(1).Type())) {
		return false
	}
	if _, pointer := results.At(0).Type().Underlying().(*types.Pointer); !pointer {
		return false
	}
	returns := 0
	other := Here(fd.Body, func(ret *ast.ReturnStmt) bool {
		if len(ret.Results) != n {
			return true
		}
		x := ret.Results[0]
		if orNil && IsNil(info, x) {
			return false
		}
		returns++
		if v := Var(info, x); v != nil {
			_, x = Origin(ix, info, fd, v)
		}
		made, _ := newHere(info, fd, x)
		return made == nil
	})
	return other == nil && returns > 0
}

// MadeEmpty returns the type, as it is written, where an expression makes an empty map or slice without a size; nil for
// other expressions.
func MadeEmpty(info *types.Info, e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		if len(e.Elts) == 0 {
			return e.Type
		}
	case *ast.CallExpr:
		if Builtin(info, e) != "make" || len(e.Args) > 2 {
			return nil
		}
		if _, isMap := Core(info.TypeOf(e)).(*types.Map); len(e.Args) == 1 && isMap {
			return e.Args[0]
		} else if len(e.Args) == 2 && !isMap {
			if n, ok := Int(info, e.Args[1]); ok && n == 0 {
				return e.Args[0]
			}
		}
	}
	return nil
}

// Locks reports whether a type is of sync or sync/atomic, or has such a one within itself:
// its values must not be copied.
func Locks(t types.Type) bool {
	return Inside(t, func(t types.Type) bool {
		n, ok := types.Unalias(t).(*types.Named)
		return ok && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "sync" || n.Obj().Pkg().Path() == "sync/atomic")
	})
}
