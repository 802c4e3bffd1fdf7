// Package channelcounter finds channels over which nothing is sent but steps of a
// count.
package channelcounter

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "channelcounter",
	Title: "a channel that is only counted",
	IDs:   []string{"C52"}, Seeds: []string{"004"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "A send takes the channel's lock, copies, and may wake a goroutine or wait for one. Add of an atomic.Int64 is one instruction, and needs no " +
		"goroutine that adds up.",
	WhenNot: "The reader does more than add up. Something else receives, selects or looks at the length. What is sent differs, or the sender is to be held " +
		"up.",
	Gap: "With a channel the sender waits while the buffer is full, and the count is whole once the channel is closed and the reader done. An atomic " +
		"is read at any time. There is no fix: senders, the goroutine that adds up, what closes the channel and who reads the sum change together, and readers " +
		"that wait for the whole sum need another way to wait.",
	Signature: "runtime.chansend1 in CPU profiles, the line in block profiles, runtime.selectgo nowhere",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkInc", Metric: "cpu",
		Claimed: "an atomic add takes 4.2 ns where a send takes 180 ns", Ratio: 43,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.RangeStmt)(nil), (*ast.ForStmt)(nil)) {
		v := counted(p.TypesInfo, cur.Node())
		if v == nil || !channel(v.Type()) {
			continue
		}
		for _, ch := range origins(p, v) {
			for _, send := range sends(p, ch) {
				p.Report(rule.Finding{
					Pos: send.Pos(), End: send.End(),
					Message: "nothing is done with what is sent to " + ch.Name() + " but adding it up; an atomic counter does that without a lock or a goroutine",
				})
			}
		}
	}
}

// counted returns the channel that a loop reads and does nothing but add up:
//
//	for n := range ch { sum += n }
//	for { <-ch; n++ }
//	for { v, ok := <-ch; if !ok { break }; n += v }
func counted(info *types.Info, loop ast.Node) *types.Var {
	switch n := loop.(type) {
	case *ast.RangeStmt:
		if adds(info, n.Body.List) {
			return code.Named(info, n.X)
		}
	case *ast.ForStmt:
		last := len(n.Body.List) - 1
		if n.Cond != nil || last < 1 || !adds(info, n.Body.List[last:]) {
			return nil
		}
		x, more := received(n.Body.List[0])
		if more == nil && last != 1 || more != nil && (last != 2 || !closed(info, n.Body.List[1], more)) {
			return nil
		}
		recv, ok := x.(*ast.UnaryExpr)
		if ok && recv.Op == token.ARROW {
			return code.Named(info, recv.X)
		}
	}
	return nil
}

// received returns x of the statements x, v := x and v, more := x; nil for others.
func received(s ast.Stmt) (x, more ast.Expr) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return ast.Unparen(s.X), nil
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE || len(s.Rhs) != 1 {
			break
		}
		if len(s.Lhs) == 2 {
			more = s.Lhs[1]
		}
		return ast.Unparen(s.Rhs[0]), more
	}
	return nil, nil
}

// closed reports whether a statement does nothing but leave where more is false.
func closed(info *types.Info, s ast.Stmt, more ast.Expr) bool {
	branch, ok := s.(*ast.IfStmt)
	if !ok || branch.Init != nil || branch.Else != nil || len(branch.Body.List) != 1 || !code.Departs(branch.Body) {
		return false
	}
	not, ok := ast.Unparen(branch.Cond).(*ast.UnaryExpr)
	return ok && not.Op == token.NOT && code.SameVariable(info, not.X, more)
}

// channel reports whether a channel is one of numbers, truths or nothing.
func channel(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	switch e := ch.Elem().Underlying().(type) {
	case *types.Basic:
		return e.Info()&(types.IsNumeric|types.IsBoolean) != 0
	case *types.Struct:
		return e.NumFields() == 0
	}
	return false
}

// adds reports whether the body of a range does nothing but add up in one variable, or
// ignore the value. An empty body waits for the end.
func adds(info *types.Info, body []ast.Stmt) bool {
	for _, s := range body {
		switch s := s.(type) {
		case *ast.IncDecStmt:
		case *ast.AssignStmt:
			if len(s.Lhs) != 1 {
				return false
			}
			id, ok := s.Lhs[0].(*ast.Ident)
			ignored := ok && id.Name == "_" && s.Tok == token.ASSIGN
			if !ignored && s.Tok != token.ADD_ASSIGN && s.Tok != token.SUB_ASSIGN || code.Any(s.Rhs[0], func(c *ast.CallExpr) bool { return !info.Types[c.Fun].IsType() }) {
				return false
			}
		default:
			return false
		}
	}
	return len(body) == 1
}

// origins returns the channels that a range may read: the one that it names, or those
// that the calls of its function give to the parameter.
func origins(p *rule.Pass, v *types.Var) []*types.Var {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncDecl)(nil)) {
		f, ok := p.TypesInfo.Defs[cur.Node().(*ast.FuncDecl).Name].(*types.Func)
		if !ok || !code.Declares(cur.Node(), v) || v.IsField() {
			continue
		}
		if i := code.ParameterIndex(f.Signature(), v); i >= 0 && len(p.Index.Uses(v)) == 1 {
			return arguments(p, f, i)
		}
	}
	return []*types.Var{v}
}

func arguments(p *rule.Pass, f *types.Func, i int) (all []*types.Var) {
	for _, call := range p.Index.CallsOf(f) {
		if i >= len(call.Args) {
			continue // f(g())
		}
		if v := code.Named(p.TypesInfo, call.Args[i]); v != nil {
			all = append(all, v)
		}
	}
	return all
}

// sends returns the sends to a channel that is only made, closed, and read once; none
// where it has other uses.
func sends(p *rule.Pass, ch *types.Var) (all []*ast.SendStmt) {
	if ch.Exported() && (ch.IsField() || !code.Local(ch)) {
		return nil
	}
	readers := 0
	for _, use := range p.Index.Uses(ch) {
		if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
			use = use.Parent()
		}
		switch use.ParentEdgeKind() {
		case edge.SendStmt_Chan:
			send := use.Parent().Node().(*ast.SendStmt)
			if use.Parent().ParentEdgeKind() == edge.CommClause_Comm || !step(p.TypesInfo, send.Value) {
				return nil
			}
			all = append(all, send)
		case edge.UnaryExpr_X:
			if use.Parent().Node().(*ast.UnaryExpr).Op != token.ARROW {
				return nil
			}
			readers++
		case edge.RangeStmt_X:
			readers++
		case edge.CallExpr_Args:
			if !code.IsBuiltin(p.TypesInfo, use.Parent().Node().(*ast.CallExpr), "close") {
				readers++
			}
		case edge.KeyValueExpr_Key, edge.AssignStmt_Lhs:
		default:
			return nil
		}
	}
	if readers != 1 {
		return nil
	}
	return all
}

// step reports whether a value says nothing but how much to count.
func step(info *types.Info, x ast.Expr) bool {
	if lit, ok := ast.Unparen(x).(*ast.CompositeLit); ok {
		return len(lit.Elts) == 0
	}
	return info.Types[x].Value != nil
}
