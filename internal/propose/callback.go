package propose

import (
	"go/ast"
	"go/types"
	"slices"
)

// callers are functions of the standard library that call a function they are
// given before they return, and do not keep it.
var callers = []contract{
	{pkg: "sort", names: "Slice SliceStable SliceIsSorted Search Find"},
	{pkg: "slices", names: "SortFunc SortStableFunc IndexFunc ContainsFunc DeleteFunc BinarySearchFunc EqualFunc CompareFunc MaxFunc MinFunc"},
	{pkg: "strings", names: "Map FieldsFunc IndexFunc LastIndexFunc ContainsFunc TrimFunc TrimLeftFunc TrimRightFunc"},
	{pkg: "bytes", names: "Map FieldsFunc IndexFunc LastIndexFunc ContainsFunc TrimFunc TrimLeftFunc TrimRightFunc"},
	{pkg: "sync", recv: "Once", names: "Do"},
	{pkg: "sync", recv: "Map", names: "Range"},
}

// runsNow reports whether a function literal runs only while the call runs that
// it is an argument of: the function that is called does nothing but call it.
func (d *dispatch) runsNow(fn *function, lit *ast.FuncLit) bool {
	if d == nil {
		return false
	}
	call, ok := fn.file.parent(lit).(*ast.CallExpr)
	if !ok {
		return false
	}
	if _, spawned := fn.file.parent(call).(*ast.GoStmt); spawned {
		return false
	}
	arg, target := slices.Index(call.Args, ast.Expr(lit)), callee(fn.info(), call)
	if arg < 0 || target == nil || target.Pkg() == nil {
		return false
	}
	for _, c := range callers {
		if c.pkg == target.Pkg().Path() && c.recv == receiverName(target) && named(c.names, target.Name()) {
			return true
		}
	}
	return !isInterfaceMethod(target) && d.onlyCalls(target, arg, 0)
}

// onlyCalls reports whether a function of the module uses a parameter, which is
// a function, only to call it or to pass it on to one that does the same.
func (d *dispatch) onlyCalls(target *types.Func, arg, depth int) bool {
	fn, sig := d.p.function(target), target.Origin().Signature()
	if fn == nil || depth > 5 || sig.Variadic() && arg >= sig.Params().Len()-1 {
		return false
	}
	param, only := fn.obj.Signature().Params().At(arg), true
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || fn.info().Uses[id] != param {
			return only
		}
		call, ok := fn.file.parent(id).(*ast.CallExpr)
		if !ok || fn.file.literal(id) != nil {
			only = false
			return false
		}
		if _, spawned := fn.file.parent(call).(*ast.GoStmt); spawned {
			only = false
		}
		if i := slices.Index(call.Args, ast.Expr(id)); i >= 0 {
			next := callee(fn.info(), call)
			only = only && next != nil && !isInterfaceMethod(next) && d.onlyCalls(next, i, depth+1)
		}
		return only
	})
	return only
}
