package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Fresh returns the &T{…} or new(T) that an expression of a function is, or that is the
// only value of the local variable that it names; nil if T is no struct, or there is none.
func Fresh(ix *index.Index, info *types.Info, fn ast.Node, x ast.Expr) (made ast.Expr, t types.Type) {
	x = ast.Unparen(x)
	if v := Var(info, x); v != nil {
		if _, x = Origin(ix, info, fn, v); x == nil {
			return nil, nil
		}
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		if lit, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok && x.Op == token.AND {
			made, t = x, info.TypeOf(lit)
		}
	case *ast.CallExpr:
		if IsBuiltin(info, x, "new") && info.Types[x.Args[0]].IsType() {
			made, t = x, info.TypeOf(x.Args[0])
		}
	}
	if t != nil {
		if _, ok := t.Underlying().(*types.Struct); ok {
			return made, t
		}
	}
	return nil, nil
}

// Locks reports whether a type is of sync or sync/atomic, or a struct with such a field:
// its values must not be copied.
func Locks(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		if path := n.Obj().Pkg().Path(); path == "sync" || path == "sync/atomic" {
			return true
		}
	}
	s, ok := t.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return Locks(f.Type()) })
}
