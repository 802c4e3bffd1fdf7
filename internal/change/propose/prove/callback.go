package prove

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// runsNow reports whether a function literal runs only while the call runs that
// it is an argument of: the function that is called does nothing but call it.
func (d *Dispatch) runsNow(fn *Function, lit *ast.FuncLit) bool {
	call, ok := fn.File.Parent(lit).(*ast.CallExpr)
	if !ok || fn.File.Spawned(call) {
		return false
	}
	arg, target := slices.Index(call.Args, ast.Expr(lit)), code.Callee(fn.Info(), call)
	if arg < 0 || target == nil || target.Pkg() == nil {
		return false
	}
	return flow.CallsNow(target) || !code.IsInterfaceMethod(target) && d.onlyCalls(target, arg, 0)
}

// onlyCalls reports whether a function of the module uses a parameter, which is
// a function, only to call it or to pass it on to one that does the same.
func (d *Dispatch) onlyCalls(target *types.Func, arg, depth int) bool {
	fn, sig := d.p.Function(target), target.Origin().Signature()
	if fn == nil || depth > 5 || sig.Variadic() && arg >= sig.Params().Len()-1 {
		return false
	}
	param := fn.Obj.Signature().Params().At(arg)
	return !code.Any(fn.Decl.Body, func(id *ast.Ident) bool {
		if fn.Info().Uses[id] != param {
			return false
		}
		call, ok := fn.File.Parent(id).(*ast.CallExpr)
		if !ok || fn.File.Literal(id) != nil || fn.File.Spawned(call) {
			return true
		}
		i, next := slices.Index(call.Args, ast.Expr(id)), code.Callee(fn.Info(), call)
		return i >= 0 && (next == nil || code.IsInterfaceMethod(next) || !d.onlyCalls(next, i, depth+1))
	})
}
