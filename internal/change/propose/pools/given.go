package pools

import (
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// given returns the calls v.Bytes() whose result a return statement gives away, one a statement. A copy does as well there:
// the buffer is not seen any more, and neither is who else would have its memory.
func (b *pooledBuffer) given() (calls []*ast.CallExpr) {
	if !b.obj.big {
		return nil
	}
	statements := map[ast.Stmt]bool{}
	for id := range prove.UsesIn(b.fn.Info(), b.fn.Decl.Body, b.v) {
		sel, ok := b.fn.File.Parent(id).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Bytes" {
			continue
		}
		call, ok := b.fn.File.Parent(sel).(*ast.CallExpr)
		if !ok || call.Fun != sel {
			continue
		}
		if ret := b.returns(call); ret != nil && !statements[ret] {
			statements[ret] = true
			calls = append(calls, call)
		}
	}
	return calls
}

// returns returns the statement that returns a slice, or a value that it makes of it; nil for anything else.
func (b *pooledBuffer) returns(e ast.Expr) ast.Stmt {
	f, info := b.fn.File, b.fn.Info()
	for n := ast.Node(e); ; n = f.Parent(n) {
		switch up := f.Parent(n).(type) {
		case *ast.ParenExpr, *ast.CompositeLit, *ast.KeyValueExpr, *ast.UnaryExpr:
		case *ast.CallExpr:
			if _, slice := info.TypeOf(up).Underlying().(*types.Slice); !slice || !info.Types[up.Fun].IsType() {
				return nil
			}
		case *ast.ReturnStmt:
			if f.Literal(up) != f.Literal(b.stmt) {
				return nil
			}
			return up
		default:
			return nil
		}
	}
}

// copied refuses copies of bytes that a deferred call may still write to, and of those that may be none and not nil: a copy of
// none is nil.
func (b *pooledBuffer) copied(p *prove.Program, held []*types.Var) *prove.Reason {
	if len(b.give) == 0 {
		return nil
	}
	for d := range code.All[*ast.DeferStmt](b.fn.Decl.Body) {
		for _, v := range held {
			if _, slice := v.Type().Underlying().(*types.Slice); (slice || v == b.v) && code.Mentions(b.fn.Info(), d, v) {
				return prove.Refusef("its bytes are returned, and a deferred call may write to %s (%s)", v.Name(), p.Pos(d.Pos()))
			}
		}
	}
	if fl, _ := b.trace(p, &flow.Written); len(fl.Leaks) > 0 {
		return prove.Refusef("its bytes are returned, and may be none and not nil: it is %s (%s)", fl.Leaks[0].Why, p.Pos(fl.Leaks[0].At.Pos()))
	}
	return nil
}

// same says why a copy of the bytes is as good as they are; nothing where there is none.
func (b *pooledBuffer) same() []model.Obligation {
	if len(b.give) == 0 {
		return nil
	}
	return []model.Obligation{
		{Text: "a copy of the bytes is as good as they are", How: "proven",
			Why: "the statement that returns them is the last to see " + b.v.Name() + ", and nothing else has them"},
		{Text: "where there are none, they are nil, before and after", How: "assumed",
			Why: "bytes.Buffer: to write nothing makes no room, and nothing else is done with " + b.v.Name() + " than to write to it"},
	}
}
