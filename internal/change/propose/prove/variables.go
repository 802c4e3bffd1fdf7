package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// IsUseOf reports whether e is the variable v and nothing more.
//
//go:noinline
func IsUseOf(info *types.Info, e ast.Expr, v types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && info.Uses[id] == v
}

// UsesIn returns the identifiers in some code that use v, in their order.
//
//go:noinline
func UsesIn(info *types.Info, in ast.Node, v types.Object) iter.Seq[*ast.Ident] {
	return func(yield func(*ast.Ident) bool) {
		for id := range code.All[*ast.Ident](in) {
			if info.Uses[id] == v && !yield(id) {
				return
			}
		}
	}
}

// Path reports whether an expression is a variable, or a field of one.
func Path(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return Path(e.X)
	}
	return false
}

// SetByInit returns the first statement of an init function that gives a package variable a value for which is reports
// true, with its file; nil where there is none. To the one who looks at all uses, others are uses like any other.
func SetByInit(k *Package, v *types.Var, is func(value ast.Expr) bool) (*File, *ast.AssignStmt) {
	for _, f := range k.Files {
		for _, d := range f.Syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != "init" || fn.Recv != nil || fn.Body == nil {
				continue
			}
			for _, s := range fn.Body.List {
				set, ok := s.(*ast.AssignStmt)
				if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
					continue
				}
				if id, ok := set.Lhs[0].(*ast.Ident); ok && k.TypesInfo.Uses[id] == v && is(set.Rhs[0]) {
					return f, set
				}
			}
		}
	}
	return nil, nil
}
