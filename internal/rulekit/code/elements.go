package code

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Elements is what a loop goes over, one by one from the first, and how its body names that.
type Elements struct {
	Over ast.Expr   // a slice or array, or a pointer to one
	Key  *types.Var // the index; nil if it has no name
	Elem *types.Var // the element; nil if it is Over[Key]
}

// ElementsOf reads the head of a range over a slice or array or its len, or of a loop that
// counts up to a len and leaves its counter alone. ok is false for other loops. Whether
// Over stays the same is not looked at.
func ElementsOf(ix *index.Index, info *types.Info, loop ast.Node) (e Elements, ok bool) {
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		if loop.Tok == token.ASSIGN {
			return e, false
		}
		e.Over = loop.X
		if loop.Key != nil {
			e.Key = Var(info, loop.Key)
		}
		if loop.Value != nil {
			e.Elem = Var(info, loop.Value)
		}
	case *ast.ForStmt:
		if e.Key, e.Over = CountsUp(info, loop); e.Key == nil || Written(ix, info, e.Key, loop.Body) {
			return e, false
		}
	default:
		return e, false
	}
	if call, isCall := ast.Unparen(e.Over).(*ast.CallExpr); isCall && IsBuiltin(info, call, "len") {
		e.Over = call.Args[0]
	} else if _, counts := loop.(*ast.ForStmt); counts {
		return e, false
	}
	return e, e.Key != nil && indexed(info.TypeOf(e.Over)) || e.Elem != nil && indexed(info.TypeOf(e.Over))
}

// indexed reports whether a type is a slice, an array or a pointer to one.
func indexed(t types.Type) bool {
	switch Pointee(Core(t)).Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	}
	return false
}

// Is reports whether an expression in the loop is the element that it is at.
func (e Elements) Is(info *types.Info, x ast.Expr) bool {
	if v := Var(info, x); v != nil {
		return v == e.Elem
	}
	at, ok := ast.Unparen(x).(*ast.IndexExpr)
	return ok && e.Key != nil && Var(info, at.Index) == e.Key && SameExpr(info, at.X, e.Over)
}

// IsPart is Is for the element or a field of it, of its struct or of one in that.
func (e Elements) IsPart(info *types.Info, x ast.Expr) bool {
	for sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok; sel, ok = ast.Unparen(x).(*ast.SelectorExpr) {
		x = sel.X
	}
	return e.Is(info, x)
}
