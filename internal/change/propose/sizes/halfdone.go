package sizes

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// halfDone says who may see that the slice is empty, and no longer nil, as it has been given room and code that was to
// add to it has panicked. Nobody can where only the function has the slice, or the code cannot panic.
func (c counter) halfDone(in ...ast.Node) *prove.Reason {
	if v := code.Var(c.fn.Info(), c.to); v != nil && code.Local(v) && !c.outlives(v) || !slices.ContainsFunc(in, c.mayPanic) {
		return nil
	}
	return c.p.Recovers(c.fn)
}

// outlives reports whether a variable can be seen when the function has panicked: it is a result, or a literal has it.
func (c counter) outlives(v *types.Var) bool {
	for result := range c.fn.Obj.Signature().Results().Variables() {
		if result == v {
			return true
		}
	}
	return code.Any(c.fn.Decl.Body, func(lit *ast.FuncLit) bool {
		return c.mentions(lit) > 0
	})
}

// mayPanic reports whether anything in n may, where what the slice is a field of is not nil.
func (c counter) mayPanic(n ast.Node) bool {
	info := c.fn.Info()
	to, _ := ast.Unparen(c.to).(*ast.SelectorExpr)
	eval := code.Eval{
		Info:   info,
		NotNil: func(x ast.Expr) bool { return to != nil && code.SameVariable(info, x, to.X) },
		Call: func(call *ast.CallExpr) code.Loss {
			if code.Builtin(info, call) == "append" || prove.HarmlessCall(info, call) {
				return code.Loss{}
			}
			return code.Loss{Grade: code.PanicLoss}
		},
	}
	return code.Any(n, func(e ast.Expr) bool {
		_, pair := e.(*ast.KeyValueExpr)
		return !pair && eval.Of(e).Grade != code.NoLoss
	})
}
