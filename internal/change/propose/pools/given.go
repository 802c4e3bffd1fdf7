package pools

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// given returns the calls v.Bytes() whose result a return statement gives away. A copy does as well there, where nothing that
// runs later writes to the bytes.
func (b *pooledBuffer) given() (calls []*ast.CallExpr) {
	if !b.obj.big {
		return nil
	}
	for id := range prove.UsesIn(b.fn.Info(), b.fn.Decl.Body, b.v) {
		sel, ok := b.fn.File.Parent(id).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Bytes" {
			continue
		}
		call, ok := b.fn.File.Parent(sel).(*ast.CallExpr)
		if !ok || call.Fun != sel {
			continue
		}
		if b.returned(call) {
			calls = append(calls, call)
		}
	}
	return calls
}

// returned reports whether a statement returns a slice, or a value that it makes of it.
func (b *pooledBuffer) returned(e ast.Expr) bool {
	f, info := b.fn.File, b.fn.Info()
	for n := ast.Node(e); ; n = f.Parent(n) {
		switch up := f.Parent(n).(type) {
		case *ast.ParenExpr, *ast.CompositeLit, *ast.KeyValueExpr, *ast.UnaryExpr:
		case *ast.CallExpr:
			if _, slice := info.TypeOf(up).Underlying().(*types.Slice); !slice || !info.Types[up.Fun].IsType() {
				return false
			}
		case *ast.ReturnStmt:
			return f.Literal(up) == f.Literal(b.stmt)
		default:
			return false
		}
	}
}

// copied refuses copies of bytes that something may write to after they are made, and of those that may be none and not nil: a
// copy of none is nil. held may lead to the bytes.
func (b *pooledBuffer) copied(p *prove.Program, held []*types.Var) *prove.Reason {
	if len(b.give) == 0 {
		return nil
	}
	if id := b.later(held); id != nil {
		return prove.Refusef("its bytes are returned, and may be written to by what uses %s (%s)", id.Name, p.Pos(id.Pos()))
	}
	if fl, _ := b.trace(p, &flow.Written); len(fl.Leaks) > 0 {
		return prove.Refusef("its bytes are returned, and may be none and not nil: it is %s (%s)", fl.Leaks[0].Why, p.Pos(fl.Leaks[0].At.Pos()))
	}
	return nil
}

// later returns what leads to the bytes in a deferred call, or in a return statement beside the call that gives them away; nil
// if nothing does. What an encoder writes comes behind them.
func (b *pooledBuffer) later(held []*types.Var) (found *ast.Ident) {
	look := func(s, but ast.Node) {
		for id := range code.All[*ast.Ident](s) {
			v, ok := b.fn.Info().ObjectOf(id).(*types.Var)
			if ok && slices.Contains(held, v) && !flow.HoldsStream(v.Type()) && !code.Within(but, id) {
				found = id
			}
		}
	}
	for _, call := range b.give {
		look(b.fn.File.Stmt(call), call)
	}
	for d := range code.All[*ast.DeferStmt](b.fn.Decl.Body) {
		look(d, nil)
	}
	return found
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
