// Package queuebound finds queues that grow without a limit, and producers without a
// plan for a queue that is full.
package queuebound

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "queuebound",
	Title: "a queue without a bound, or without a plan for what is too much",
	IDs:   []string{"C15"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.N,
	Why: "Under overload a slice that is appended to grows until the process is killed, and every answer is late. A producer that sends without end, and " +
		"without a second case, can neither be stopped nor say that it is too much. A limit, and an error for what is above it, keep both in hand.",
	WhenNot: "The producer is slower than the consumer by design: it waits for a timer, for input or for somebody's word. The length of the queue is looked " +
		"at. The queue belongs to one function, or to one goroutine.",
	Gap:       "Where the bound stands in another package the rule does not see it. What to do with what is too much is a decision: wait, drop or refuse.",
	Signature: "goroutines and heap that grow with the load; runtime.growslice in inuse_space profiles, runtime.chansend in goroutine profiles",
	Evidence: &rule.Evidence{
		Exempt: "what is lost is memory and latency under a load that is too high, which a benchmark does not have",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, effects.Analyzer)

func run(p *rule.Pass) {
	e := p.ResultOf[effects.Analyzer].(*effects.Effects)
	for cur := range p.Index.Inspect.Root().Preorder((*ast.ForStmt)(nil), (*ast.AssignStmt)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.ForStmt:
			if send := endless(p, e, n); send != nil {
				p.Report(rule.Finding{
					Pos: send.Pos(), End: send.End(),
					Message: "this sends without end, and neither stops nor says so when the queue is full; a select with a second case can",
				})
			}
		case *ast.AssignStmt:
			if v := grown(p, n); v != nil && shared(p, cur) && popped(p, v) && !measured(p, v) {
				p.Report(rule.Finding{
					Pos: n.Pos(), End: n.End(),
					Message: "the queue " + v.Name() + " grows without a limit when more comes in than is taken out",
				})
			}
		}
	}
}

// endless returns the send of a loop that does nothing else, for ever.
func endless(p *rule.Pass, e *effects.Effects, loop *ast.ForStmt) *ast.SendStmt {
	if loop.Cond != nil {
		if tv := p.TypesInfo.Types[loop.Cond]; tv.Value == nil || !constant.BoolVal(tv.Value) {
			return nil
		}
	}
	paced := code.Any(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectStmt, *ast.ReturnStmt, *ast.BranchStmt, *ast.RangeStmt, *ast.IfStmt:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.CallExpr:
			return !e.Call(n).Pure
		}
		return false
	})
	if paced {
		return nil
	}
	return code.Here(loop.Body, func(*ast.SendStmt) bool { return true })
}

// grown returns the field or package variable of x = append(x, y), where x may be an entry
// of a map of queues.
func grown(p *rule.Pass, n *ast.AssignStmt) *types.Var {
	if len(n.Lhs) != 1 || n.Tok != token.ASSIGN {
		return nil
	}
	call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
	if !ok || !code.IsBuiltin(p.TypesInfo, call, "append") {
		return nil
	}
	x, key := entry(p.TypesInfo, n.Lhs[0])
	y, of := entry(p.TypesInfo, call.Args[0])
	v := code.Named(p.TypesInfo, x)
	if v == nil || !v.IsField() && code.Local(v) || !code.SameVariable(p.TypesInfo, x, y) {
		return nil
	}
	if (key == nil) != (of == nil) || key != nil && !code.SameExpr(p.TypesInfo, key, of) {
		return nil
	}
	return v.Origin()
}

// entry returns the map and the key of an entry, or x itself and nil.
func entry(info *types.Info, x ast.Expr) (in, key ast.Expr) {
	if ix, ok := ast.Unparen(x).(*ast.IndexExpr); ok {
		if _, isMap := info.TypeOf(ix.X).Underlying().(*types.Map); isMap {
			return ix.X, ix.Index
		}
	}
	return x, nil
}

// queues yields the places where a queue is named: a field or package variable, or an entry
// of it, or a new variable that is set to that.
func queues(p *rule.Pass, v *types.Var) iter.Seq[inspector.Cursor] {
	_, many := v.Type().Underlying().(*types.Map)
	return func(yield func(inspector.Cursor) bool) {
		for _, use := range p.Index.Uses(v) {
			if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
				use = use.Parent()
			}
			if many && use.ParentEdgeKind() != edge.IndexExpr_X {
				continue
			} else if many {
				use = use.Parent()
			}
			if !yield(use) {
				return
			}
			a, ok := use.Parent().Node().(*ast.AssignStmt)
			if !ok || use.ParentEdgeKind() != edge.AssignStmt_Rhs || a.Tok != token.DEFINE {
				continue
			}
			for _, of := range p.Index.Uses(code.Var(p.TypesInfo, a.Lhs[use.ParentEdgeIndex()])) {
				if !yield(of) {
					return
				}
			}
		}
	}
}

// shared reports whether the function takes a lock before it appends.
func shared(p *rule.Pass, cur inspector.Cursor) bool {
	fd, _ := code.Decl(p.TypesInfo, cur)
	return fd != nil && code.Any(fd.Body, func(call *ast.CallExpr) bool {
		f := code.Callee(p.TypesInfo, call)
		return f != nil && f.Name() == "Lock" && f.Pkg() != nil && f.Pkg().Path() == "sync" && call.Pos() < cur.Node().Pos()
	})
}

// popped reports whether the first element is taken off a slice: x = x[1:].
func popped(p *rule.Pass, v *types.Var) bool {
	for use := range queues(p, v) {
		s, ok := use.Parent().Node().(*ast.SliceExpr)
		if !ok || use.ParentEdgeKind() != edge.SliceExpr_X || s.Low == nil || s.High != nil {
			continue
		}
		a, ok := use.Parent().Parent().Node().(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			continue
		}
		if to, _ := entry(p.TypesInfo, a.Lhs[use.Parent().ParentEdgeIndex()]); code.Named(p.TypesInfo, to) != nil && code.Named(p.TypesInfo, to).Origin() == v {
			return true
		}
	}
	return false
}

// measured reports whether the length of a slice is compared with more than zero,
// or goes elsewhere.
func measured(p *rule.Pass, v *types.Var) bool {
	for use := range queues(p, v) {
		call, ok := use.Parent().Node().(*ast.CallExpr)
		if !ok || !code.IsBuiltin(p.TypesInfo, call, "len") && !code.IsBuiltin(p.TypesInfo, call, "cap") {
			continue
		}
		cmp, ok := use.Parent().Parent().Node().(*ast.BinaryExpr)
		if !ok {
			return true
		}
		zero := false
		for _, x := range []ast.Expr{cmp.X, cmp.Y} {
			k, constant := code.Int(p.TypesInfo, x)
			zero = zero || constant && k <= 1
		}
		if !zero {
			return true
		}
	}
	return false
}
