package propose

import (
	"go/ast"
	"go/types"
	"slices"
)

// call classifies an argument of a call.
func (fl *flow) call(call *ast.CallExpr, e ast.Expr) {
	info := fl.fn.info()
	arg := slices.Index(call.Args, e)
	if arg < 0 {
		return // the called expression itself
	}
	if info.Types[call.Fun].IsType() {
		fl.conversion(call)
		return
	}
	if b := builtin(info, call); b != "" {
		fl.builtin(call, b, arg)
		return
	}
	if _, ok := fl.fn.file.parent(call).(*ast.GoStmt); ok {
		fl.leak(e, "handed to a goroutine")
		return
	}
	fn := callee(info, call)
	if fn == nil {
		fl.leak(e, "passed to the function value %s", types.ExprString(call.Fun))
		return
	}
	n := fn.Signature().Params().Len()
	if fn.Signature().Variadic() && arg >= n-1 {
		fl.hand(call, fn, n-1, !call.Ellipsis.IsValid())
		return
	}
	fl.hand(call, fn, arg, false)
}

// hand classifies a call by what its function does with the memory.
func (fl *flow) hand(call *ast.CallExpr, fn *types.Func, index int, element bool) {
	fl.calls = append(fl.calls, handing{call, fn, index})
	eff := fl.effect(fn, index, element)
	fl.assume(eff.assumed)
	fl.nilSeen, fl.capSeen = fl.nilSeen || eff.nilSeen, fl.capSeen || eff.capSeen
	if eff.keeps != "" {
		fl.leak(call, "%s", eff.keeps)
		return
	}
	for i := range fn.Signature().Results().Len() {
		if eff.results&(1<<i) != 0 {
			fl.result(call, i)
		}
	}
}

func (fl *flow) effect(fn *types.Func, index int, element bool) *summary {
	if fl.wide != nil {
		return fl.wide.effect(fn, index, element)
	}
	return fl.p.effect(fn, index, element)
}

// result classifies result i of a call, which aliases the memory.
func (fl *flow) result(call *ast.CallExpr, i int) {
	if fn := callee(fl.fn.info(), call); fn.Signature().Results().Len() == 1 {
		fl.expr(call)
		return
	}
	switch up := fl.fn.file.parent(call).(type) {
	case *ast.AssignStmt:
		fl.assign(up.Lhs[i], call)
	case *ast.ValueSpec:
		fl.assign(up.Names[i], call)
	case *ast.ReturnStmt:
		if fl.fn.file.literal(up) != nil {
			fl.leak(call, "returned from a function literal")
			return
		}
		fl.results |= 1 << i
	case *ast.ExprStmt:
	default:
		fl.leak(call, "passed on by a call with several results")
	}
}

func (fl *flow) conversion(call *ast.CallExpr) {
	switch t := fl.fn.info().TypeOf(call).Underlying().(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer || t.Kind() == types.Uintptr {
			fl.leak(call, "converted to %s", t)
		}
	case *types.Array:
	case *types.Slice, *types.Pointer:
		fl.expr(call)
	default:
		fl.leak(call, "converted to %s", fl.fn.info().TypeOf(call))
	}
}

func (fl *flow) builtin(call *ast.CallExpr, name string, arg int) {
	switch name {
	case "cap":
		fl.capSeen = true
	case "len", "copy", "clear", "print", "println":
	case "append":
		if arg == 0 {
			fl.expr(call)
		} else if !call.Ellipsis.IsValid() {
			fl.leak(call, "appended to a slice")
		}
	default:
		fl.leak(call, "passed to %s", name)
	}
}
