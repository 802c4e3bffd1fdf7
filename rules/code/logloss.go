package code

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/rules/effects"
)

// A Loss is what a program loses when an expression is not evaluated.
type Loss int

// The losses, in order.
const (
	NoLoss    Loss = iota
	PanicLoss      // nothing but a panic, perhaps
	AnyLoss        // an effect, perhaps
)

// Loss returns what is lost when the arguments and feeders are not evaluated.
// known tells of calls that have no effect and do not panic, beyond those of the
// context and slog packages; e, of others that have none, and may be nil.
func (l LogCall) Loss(info *types.Info, e *effects.Effects, known func(*ast.CallExpr) bool, feeders []*ast.AssignStmt) Loss {
	loss := NoLoss
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if !known(n) && !builds(info, n) {
				loss = max(loss, callLoss(info, e, n))
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				loss = AnyLoss
			}
		case *ast.SelectorExpr:
			if sel := info.Selections[n]; sel != nil && sel.Kind() == types.FieldVal && sel.Indirect() {
				loss = max(loss, PanicLoss)
			}
		case *ast.StarExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
			loss = max(loss, PanicLoss)
		case *ast.BinaryExpr:
			if n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR || types.IsInterface(info.TypeOf(n.X)) {
				loss = max(loss, PanicLoss)
			}
		}
		return true
	}
	for _, arg := range l.Call.Args {
		ast.Inspect(arg, look)
	}
	for _, f := range feeders {
		ast.Inspect(f.Rhs[0], look)
	}
	return loss
}

func callLoss(info *types.Info, e *effects.Effects, call *ast.CallExpr) Loss {
	if info.Types[call.Fun].IsType() {
		if _, array := info.TypeOf(call).Underlying().(*types.Array); array {
			return PanicLoss // of a slice that is shorter
		}
		return NoLoss
	}
	if b, ok := typeutil.Callee(info, call).(*types.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "min", "max":
			return NoLoss
		}
	}
	if e == nil || !e.Call(call).Pure {
		return AnyLoss
	}
	return PanicLoss
}

// builds reports whether a call makes an attribute or a context, nothing else.
func builds(info *types.Info, call *ast.CallExpr) bool {
	for _, name := range []string{"String", "Int", "Int64", "Uint64", "Float64", "Bool", "Any", "Duration", "Time"} {
		if IsFunc(info, call, "log/slog", name) {
			return true
		}
	}
	return steady(info, call)
}
