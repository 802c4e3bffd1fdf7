package prove

import (
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// maxReadDepth is how many functions of the module that call one another are read.
const maxReadDepth = 4

// Counts reports whether a call does nothing but to say how many elements something
// has: it can be made once more. It may panic.
func (p *Program) Counts(fn *Function, call *ast.CallExpr) bool {
	return p.counted(fn.Info(), call, 0) && p.onlyReads(fn.Info(), call, 0)
}

// counted reports whether what is called returns such a number: it is known, or a
// function of the module that returns a len.
func (p *Program) counted(info *types.Info, call *ast.CallExpr, depth int) bool {
	target := code.Callee(info, call)
	if effects.Counts(target) || code.Builtin(info, call) == "len" {
		return true
	}
	if target == nil || depth == maxReadDepth {
		return false
	}
	fn := p.Function(target)
	if fn == nil || len(fn.Decl.Body.List) != 1 {
		return false
	}
	ret, ok := fn.Decl.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	inner, ok := ast.Unparen(ret.Results[0]).(*ast.CallExpr)
	return ok && p.counted(fn.Info(), inner, depth+1) && p.onlyReads(fn.Info(), inner, depth+1)
}

// onlyReads reports whether evaluating e does nothing but read, or panic.
func (p *Program) onlyReads(info *types.Info, e ast.Expr, depth int) bool {
	eval := code.Eval{Info: info, Plain: true, Call: func(call *ast.CallExpr) code.Loss {
		if effects.Reads(code.Callee(info, call)) || p.counted(info, call, depth) {
			return code.Loss{Grade: code.PanicLoss}
		}
		return code.Loss{Grade: code.AnyLoss}
	}}
	return eval.Of(e).Grade < code.AnyLoss
}
