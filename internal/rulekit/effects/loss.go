package effects

import (
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// LossOf returns what is lost when the arguments and feeders of a log line are not
// evaluated. known tells of calls that have no effect and do not panic, beyond those
// of the context and slog packages; e, of others that have none, and may be nil.
func LossOf(info *types.Info, e *Effects, known func(*ast.CallExpr) bool, l code.LogCall, feeders []*ast.AssignStmt) code.Grade {
	eval := code.Eval{Info: info, Call: func(call *ast.CallExpr) code.Loss {
		switch {
		case known(call) || code.Builds(info, call):
			return code.Loss{}
		case e == nil || !e.Call(call).Pure:
			return code.Loss{Grade: code.AnyLoss}
		}
		return code.Loss{Grade: code.PanicLoss}
	}}
	loss := eval.Of(l.Call.Args...).Grade
	for _, f := range feeders {
		loss = max(loss, eval.Of(f.Rhs[0]).Grade)
	}
	return loss
}
