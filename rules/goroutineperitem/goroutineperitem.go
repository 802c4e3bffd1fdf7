// Package goroutineperitem finds loops that start a goroutine for each item
// without a bound.
package goroutineperitem

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "goroutineperitem",
	Title: "a goroutine for each item or request, without a bound",
	IDs:   []string{"C14"}, Seeds: []string{"000", "001", "004"},
	Tier: rule.Profiled, Fix: rule.B,
	Why: "Starting a goroutine costs a microsecond or two with its share of collection, and each holds a stack of 2 KiB or more. Ten thousand at once " +
		"cost more than short work is worth, and memory follows the input. As many as there are processors do the same work.",
	WhenNot: "The number is bounded by a constant, a semaphore or errgroup's SetLimit. The goroutines live long or talk to one another, or they are " +
		"workers that share a queue. The work waits for I/O, where a bound by processors makes it slower (a hundred times for waits of 2 ms). A " +
		"server's Accept loop. A handler waits for the goroutine, or the goroutine waits for the request to end.",
	Gap: "The rule sees only through static calls that an item's work waits: measure before you take the fix. From 20 µs per item on nothing is " +
		"gained. Items that wait for one another deadlock under a bound. The fix is for a loop over a slice with a WaitGroup: as many goroutines as " +
		"processors take the next index in turn.",
	Signature: "runtime.newproc, runtime.gfget and runtime.findRunnable in CPU profiles; goroutine profiles with one function counted by the thousand",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkEnrich", Metric: "cpu",
		Claimed: "a pool of workers is four and a half times faster than a goroutine per row", Ratio: 4.5,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, effects.Analyzer, callers.Analyzer)

func run(p *rule.Pass) {
	e := p.ResultOf[effects.Analyzer].(*effects.Effects)
	for cur := range p.Index.Inspect.Root().Preorder((*ast.GoStmt)(nil)) {
		look(p, e, cur, cur.Node().(*ast.GoStmt).Call, nil)
		perRequest(p, cur)
	}
	for cur, call := range p.Index.Method("sync", "WaitGroup", "Go") {
		started(p, e, cur, call)
	}
	for cur, call := range p.Index.Method("golang.org/x/sync/errgroup", "Group", "Go") {
		if !limited(p, call) {
			started(p, e, cur, call)
		}
	}
}

// started looks at g.Go(f).
func started(p *rule.Pass, e *effects.Effects, cur inspector.Cursor, call *ast.CallExpr) {
	if lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit); ok {
		look(p, e, cur, &ast.CallExpr{Fun: lit, Lparen: lit.End(), Rparen: lit.End()}, call)
	}
}

// limited reports whether a group has a limit, or may have been given one
// elsewhere.
func limited(p *rule.Pass, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return true
	}
	v := code.Var(p.TypesInfo, sel.X)
	if !code.Local(v) {
		return true
	}
	for _, at := range p.Index.Uses(v) {
		use, ok := at.Parent().Node().(*ast.SelectorExpr)
		if !ok || at.Parent().ParentEdgeKind() != edge.CallExpr_Fun || use.Sel.Name == "SetLimit" || use.Sel.Name == "TryGo" {
			return true
		}
	}
	return false
}

// A spawn is a goroutine per item.
type spawn struct {
	p    *rule.Pass
	e    *effects.Effects
	cur  inspector.Cursor // the go statement, or the call of Go
	call *ast.CallExpr    // what the goroutine calls
	via  *ast.CallExpr    // group.Go(…), or nil
	loop inspector.Cursor
	vars []*types.Var // the loop's
}

func look(p *rule.Pass, e *effects.Effects, cur inspector.Cursor, call, via *ast.CallExpr) {
	start := &spawn{p: p, e: e, cur: cur, call: call, via: via}
	for at, loop := range code.Repeated(p.Index, p.TypesInfo, cur) {
		s := *start
		if s.cur, s.loop = at, loop; at != cur {
			s.call = at.Node().(*ast.CallExpr)
		}
		if !s.items() || !s.uses() || s.throttled(code.Body(loop.Node())) || start.waits() {
			continue
		}
		if at == cur {
			s.report(s.fix())
		} else if fn, _ := code.Func(cur); !start.throttled(fn.Node()) {
			s.report(nil)
		}
	}
}

func (s *spawn) report(fixes []analysis.SuggestedFix) {
	s.p.Report(rule.Finding{
		Pos: s.cur.Node().Pos(), End: max(s.cur.Node().Pos(), s.call.Fun.Pos()), Hot: s.loop.Node(),
		Message: "a goroutine for each item, without a bound; as many as there are processors do the same work with less",
		Fixes:   fixes,
	})
}

// few is the number of items up to which a goroutine for each is fine.
const few = 100

// items reports whether the loop goes over items whose number nothing bounds:
// a slice, a map, a channel, or indices of a slice.
func (s *spawn) items() bool {
	info := s.p.TypesInfo
	switch n := s.loop.Node().(type) {
	case *ast.RangeStmt:
		for _, x := range []ast.Expr{n.Key, n.Value} {
			if x == nil {
				continue
			}
			if v := code.Var(info, x); v != nil && v.Name() != "_" {
				s.vars = append(s.vars, v)
			}
		}
		if _, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok {
			return false
		}
		switch t := info.TypeOf(n.X).Underlying().(type) {
		case *types.Slice, *types.Map, *types.Chan:
			return true
		case *types.Basic:
			k, isConst := code.Int(info, n.X)
			return t.Info()&types.IsInteger != 0 && (!isConst || k > few) && !processors(info, n.X) && s.indexed()
		}
	case *ast.ForStmt:
		init, ok := n.Init.(*ast.AssignStmt)
		cmp, isCmp := n.Cond.(*ast.BinaryExpr)
		if !ok || !isCmp || n.Post == nil {
			return false
		}
		if v := code.Var(info, init.Lhs[0]); v != nil {
			s.vars = append(s.vars, v)
		}
		k, isConst := code.Int(info, cmp.Y)
		return (!isConst || k > few) && !processors(info, cmp.Y) && s.indexed()
	}
	return false
}

// processors reports whether a number of iterations is one of processors.
func processors(info *types.Info, x ast.Expr) bool {
	return code.Any(x, func(id *ast.Ident) bool {
		f, ok := info.Uses[id].(*types.Func)
		return ok && f.Pkg() != nil && f.Pkg().Path() == "runtime"
	})
}

// indexed reports whether the goroutine gets, or takes, an element by the
// loop's index, which a mere number of workers would not.
func (s *spawn) indexed() bool {
	return code.Any(s.call, func(x *ast.IndexExpr) bool {
		_, slice := s.p.TypesInfo.TypeOf(x.X).Underlying().(*types.Slice)
		return slice && slices.Contains(s.vars, code.Var(s.p.TypesInfo, x.Index)) && read(s.cur, x)
	})
}

// read reports whether an element is read rather than just assigned.
func read(cur inspector.Cursor, x *ast.IndexExpr) bool {
	return !code.Any(cur.Node(), func(a *ast.AssignStmt) bool { return a.Tok == token.ASSIGN && slices.Contains(a.Lhs, ast.Expr(x)) })
}

// uses reports whether the goroutine has to do with the item at all.
func (s *spawn) uses() bool {
	return slices.ContainsFunc(s.vars, func(v *types.Var) bool { return code.Mentions(s.p.TypesInfo, s.call, v) })
}

// throttled reports whether the body of the loop, or of the function that it calls, waits
// itself before it goes on: for a channel, a semaphore, a wait group, a timer.
func (s *spawn) throttled(fn ast.Node) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == s.cur.Node() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == fn
		case *ast.SendStmt, *ast.SelectStmt, *ast.BranchStmt:
			b, ok := n.(*ast.BranchStmt)
			found = found || !ok || b.Tok != token.CONTINUE
		case *ast.ReturnStmt:
			found = true // one item, found
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			found = found || s.e.Call(n).Blocks || acquires(s.p.TypesInfo, n)
		}
		return !found
	})
	return found
}

// acquires reports whether a call looks like taking a place: Acquire, Wait.
func acquires(info *types.Info, call *ast.CallExpr) bool {
	f := typeutil.Callee(info, call)
	if f == nil {
		return false
	}
	switch f.Name() {
	case "Acquire", "TryAcquire", "Wait", "Take", "Reserve":
		return true
	}
	return false
}

// waits reports whether the goroutine lives long, waits for something, or does
// I/O, as far as static calls show.
func (s *spawn) waits() bool {
	if s.waitsIn(s.call.Fun) {
		return true
	}
	f := typeutil.StaticCallee(s.p.TypesInfo, s.call)
	if f == nil {
		_, lit := ast.Unparen(s.call.Fun).(*ast.FuncLit)
		return !lit // nothing is known of it
	}
	if fact := s.e.Of(f); fact.Blocks || fact.IO {
		return true
	}
	fd := s.p.Index.Decl(f)
	return fd != nil && s.waitsIn(fd.Body)
}

// waitsIn reports whether code has channel operations, loops without end, or
// calls that wait or do I/O.
func (s *spawn) waitsIn(n ast.Node) bool {
	return code.Any(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return true
		case *ast.ForStmt:
			return n.Cond == nil
		case *ast.CallExpr:
			fact := s.e.Call(n)
			return fact.Blocks || fact.IO || acquires(s.p.TypesInfo, n) || s.context(n) || s.dynamic(n)
		}
		return code.ByChannel(s.p.TypesInfo, n)
	})
}

// dynamic reports whether a call calls a function value or a method of an
// interface. Nothing is known of these: much that coordinates stands behind
// one. What a generic function is given to do with each item is the work.
func (s *spawn) dynamic(call *ast.CallExpr) bool {
	switch f := typeutil.Callee(s.p.TypesInfo, call).(type) {
	case *types.Var:
		return !code.Parametric(s.p.TypesInfo, call)
	case *types.Func:
		recv := f.Signature().Recv()
		return recv != nil && types.IsInterface(recv.Type())
	}
	return false
}

// context reports whether a call gets a context, which is a sign that it waits
// for something.
func (s *spawn) context(call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return code.IsNamed(s.p.TypesInfo.TypeOf(arg), "context", "Context") })
}
