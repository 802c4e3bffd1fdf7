package sizes

import (
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// waits says what may make e safe to read only where it stands: something
// between two statements of the list that synchronises goroutines, such as the
// Lock that keeps others from writing it. It returns nil if nothing does or if no
// other goroutine can reach what e reads.
func (g *growing) waits(e ast.Expr, from, to int) *prove.Reason {
	if !g.shared(e) {
		return nil
	}
	at := ""
	for _, s := range g.list[from:min(to+1, len(g.list))] {
		ast.Inspect(s, func(n ast.Node) bool {
			if n == nil || at != "" || n.Pos() >= e.Pos() {
				return false
			}
			if waitsAt(g.p, g.fn, n) {
				at = g.p.Pos(n.Pos()).String()
			}
			return true
		})
	}
	if at == "" {
		return nil
	}
	return prove.Refuse("other goroutines may write " + types.ExprString(e) + " until what synchronises them at " + at)
}

// shared reports whether another goroutine may write what e reads: it is not a
// variable of the function that nothing else knows.
func (g *growing) shared(e ast.Expr) bool {
	info, body := g.fn.Info(), g.fn.Decl.Body
	if info.Types[e].Value != nil {
		return false
	}
	e = ast.Unparen(e)
	for {
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			break
		}
		s := info.Selections[sel]
		if _, ptr := info.TypeOf(sel.X).Underlying().(*types.Pointer); ptr || s == nil || s.Kind() != types.FieldVal || code.ThroughPointer(s) {
			return true
		}
		e = ast.Unparen(sel.X)
	}
	v := code.Var(info, e)
	if !code.Local(v) || code.AddressTaken(info, body, v) {
		return true
	}
	return code.Any(body, func(lit *ast.FuncLit) bool { return code.WrittenIn(info, lit, v) })
}

// waitsAt reports whether a node is an operation on a channel, or a call that
// may synchronise goroutines by what it does in the module.
func waitsAt(p *prove.Program, fn *prove.Function, n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return code.ByChannel(fn.Info(), n)
	}
	for called := range p.Reached(p.EdgesIn(fn, call)) {
		if p.Synchronises(called, nil) != "" {
			return true
		}
	}
	return p.CallSynchronises(fn, call, nil) != ""
}
