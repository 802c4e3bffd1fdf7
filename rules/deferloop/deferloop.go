// Package deferloop finds deferred closing that piles up in a loop.
package deferloop

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "deferloop",
	Title: "deferred Close or cancel in a loop, so that what it frees piles up",
	IDs:   []string{"C27"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.B,
	Why: "A deferred call runs when the function returns, not when the iteration ends: a loop over a thousand files holds a thousand descriptors. Each " +
		"defer in a loop also takes a record on the heap, where one outside a loop takes none.",
	WhenNot: "The loop leaves in the iteration that defers, or runs a few times, by a constant. What is closed is kept beyond the iteration: appended, " +
		"stored, given to a goroutine or to something outside the loop. The iteration closes it itself further on. The defer is in a function literal " +
		"of its own. It unlocks, signals or removes rather than closes.",
	Gap: "The fix wraps the rest of the iteration in a function. Closing then happens in another order, and a panic passes through one more frame. What a " +
		"called function keeps of its arguments is not known.",
	Signature: "runtime.deferproc in CPU profiles; descriptors or timers that fall only when the function returns",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkTotal", Metric: "allocs",
		Claimed: "closing per iteration keeps descriptors from piling up over a long loop",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.DeferStmt)(nil)) {
		loop, ok := code.Loop(cur)
		if !ok || p.IsTest(cur.Node().Pos()) {
			continue
		}
		d := &deferral{p: p, cur: cur, stmt: cur.Node().(*ast.DeferStmt), loop: loop}
		if d.frees() && !few(p.TypesInfo, loop) && d.piles() && !d.freed() && !d.kept() {
			d.report()
		}
	}
}

// A deferral is a defer statement in a loop.
type deferral struct {
	p     *rule.Pass
	cur   inspector.Cursor
	stmt  *ast.DeferStmt
	loop  inspector.Cursor
	thing *types.Var // what it frees: declared in the loop
	what  string     // the call, as the message shows it
}

// frees reports whether the statement closes or cancels a variable of the
// iteration, directly or as all that a literal does.
func (d *deferral) frees() bool {
	call := d.stmt.Call
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		if call = only(lit); call == nil {
			return false
		}
	}
	d.what = d.p.Source(call.Fun)
	if len(call.Args) > 0 {
		return false
	}
	var x ast.Expr
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident: // cancel()
		if !code.IsNamed(d.p.TypesInfo.TypeOf(fun), "context", "CancelFunc") {
			return false
		}
		x = fun
	case *ast.SelectorExpr:
		f, _ := typeutil.Callee(d.p.TypesInfo, call).(*types.Func)
		if f == nil || f.Name() != "Close" || f.Signature().Recv() == nil {
			return false
		}
		x = root(fun.X)
	default:
		return false
	}
	d.thing = code.Var(d.p.TypesInfo, x)
	body := code.Body(d.loop.Node())
	return d.thing != nil && body.Pos() <= d.thing.Pos() && d.thing.Pos() < d.stmt.Pos()
}

// only returns the one call that a literal makes, as a statement or with its
// result dropped.
func only(lit *ast.FuncLit) *ast.CallExpr {
	if len(lit.Body.List) != 1 {
		return nil
	}
	var x ast.Expr
	switch s := lit.Body.List[0].(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		if id, ok := s.Lhs[0].(*ast.Ident); ok && len(s.Lhs) == 1 && id.Name == "_" {
			x = s.Rhs[0]
		}
	}
	call, _ := x.(*ast.CallExpr)
	return call
}

// root returns resp of resp.Body.
func root(x ast.Expr) ast.Expr {
	for {
		sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
		if !ok {
			return x
		}
		x = sel.X
	}
}

// enough is the number of iterations from which on a loop is worth a word.
const enough = 16

// few reports whether a constant keeps a loop to a few iterations, or a short
// literal that it ranges over.
func few(info *types.Info, loop inspector.Cursor) bool {
	switch n := loop.Node().(type) {
	case *ast.RangeStmt:
		if k, ok := code.Int(info, n.X); ok {
			return k < enough
		}
		if lit, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok {
			return len(lit.Elts) < enough
		}
		if k, ok := code.ArrayLen(info.TypeOf(n.X)); ok {
			return k < enough
		}
	case *ast.ForStmt:
		if cmp, ok := n.Cond.(*ast.BinaryExpr); ok {
			k, ok := code.Int(info, cmp.Y)
			return ok && k < enough && (cmp.Op == token.LSS || cmp.Op == token.LEQ || cmp.Op == token.NEQ)
		}
	}
	return false
}

// piles reports whether the statement can run again in the same call.
func (d *deferral) piles() bool {
	fn, ok := code.Func(d.cur)
	if !ok {
		return false
	}
	g := code.Graph(d.p.TypesInfo, fn.Node())
	return g != nil && code.Repeats(g, d.stmt)
}

// freed reports whether each iteration itself makes the same call further on,
// so that the deferred one is for the ways out of the function only.
func (d *deferral) freed() bool {
	for _, at := range d.p.Index.Uses(d.thing) {
		for at.ParentEdgeKind() == edge.SelectorExpr_X || at.ParentEdgeKind() == edge.ParenExpr_X {
			at = at.Parent()
		}
		stmt, ok := code.Stmt(at)
		if ok && at.ParentEdgeKind() == edge.CallExpr_Fun && stmt.Parent().Index() == d.cur.Parent().Index() && stmt.Node().Pos() > d.stmt.End() &&
			d.p.Source(at.Node()) == d.what && !d.skips(stmt.Node().Pos()) {
			return true
		}
	}
	return false
}

// skips reports whether an iteration may end between the statement and end,
// with the function going on.
func (d *deferral) skips(end token.Pos) bool {
	return code.Any(d.cur.Parent().Node(), func(b *ast.BranchStmt) bool {
		return b.Tok != token.FALLTHROUGH && d.stmt.End() < b.Pos() && b.Pos() < end
	})
}

// kept reports whether what is freed, or what was made from it, may be used
// after the iteration.
func (d *deferral) kept() bool {
	derived := map[*types.Var]bool{}
	if d.siblings(derived) {
		return true
	}
	todo := slices.AppendSeq([]*types.Var{d.thing}, maps.Keys(derived))
	for i := 0; i < len(todo); i++ {
		for _, at := range d.p.Index.Uses(todo[i]) {
			if code.Within(d.stmt, at.Node()) {
				continue
			}
			next, kept := d.use(at)
			if kept {
				return true
			}
			if next != nil && next != d.thing && !derived[next] {
				derived[next] = true
				todo = append(todo, next)
			}
		}
	}
	return false
}

// siblings adds the variables that the same assignment gave a value to: the
// context of a cancel. It is true if one of them lives outside the loop, where
// the next iteration may go on with it.
func (d *deferral) siblings(all map[*types.Var]bool) (outside bool) {
	for assign := range code.All[*ast.AssignStmt](code.Body(d.loop.Node())) {
		mine := false
		for _, lhs := range assign.Lhs {
			mine = mine || code.Var(d.p.TypesInfo, lhs) == d.thing
		}
		for _, lhs := range assign.Lhs {
			t := d.p.TypesInfo.TypeOf(lhs)
			if !mine || t == nil || !holds(t) { // "_" has no type
				continue
			}
			v := code.Var(d.p.TypesInfo, lhs)
			outside = outside || v == nil || !d.inside(lhs)
			if v != nil && v != d.thing {
				all[v] = true
			}
		}
	}
	return outside
}

// holds reports whether a value of a type may hold on to something that can be
// closed.
func holds(t types.Type) bool {
	return code.Deep(t, false, func(t types.Type, in func(types.Type) bool) bool {
		switch u := t.Underlying().(type) {
		case *types.Basic:
			return false
		case *types.Slice, *types.Array:
			return code.Parts(u, in)
		}
		return !code.IsError(t)
	})
}

// use follows one use of a variable: kept if it may outlive the iteration,
// next if another variable of the iteration now holds it as well.
func (d *deferral) use(at inspector.Cursor) (next *types.Var, kept bool) {
	for at.ParentEdgeKind() == edge.SelectorExpr_X || at.ParentEdgeKind() == edge.ParenExpr_X || at.ParentEdgeKind() == edge.StarExpr_X ||
		at.ParentEdgeKind() == edge.UnaryExpr_X || at.ParentEdgeKind() == edge.TypeAssertExpr_X {
		at = at.Parent()
	}
	if x, ok := at.Node().(ast.Expr); ok && at.ParentEdgeKind() != edge.CallExpr_Fun && !holds(d.p.TypesInfo.TypeOf(x)) {
		return nil, false // a status, a size
	}
	if d.captured(at) {
		return nil, true
	}
	switch parent := at.Parent().Node().(type) {
	case *ast.CallExpr:
		return d.call(at.Parent(), parent, at.ParentEdgeKind() == edge.CallExpr_Fun)
	case *ast.AssignStmt:
		return d.assigned(parent, at)
	case *ast.BinaryExpr, *ast.ExprStmt, *ast.TypeSwitchStmt, *ast.IfStmt, *ast.RangeStmt, *ast.IndexExpr:
		return nil, false
	}
	return nil, true // a composite literal, a send, a return
}

// captured reports whether cur stands in a literal that is not called at once.
func (d *deferral) captured(cur inspector.Cursor) bool {
	for p := range cur.Enclosing((*ast.FuncLit)(nil), (*ast.GoStmt)(nil)) {
		if !code.Within(d.loop.Node(), p.Node()) {
			return false
		}
		if _, ok := p.Node().(*ast.GoStmt); ok || p.ParentEdgeKind() != edge.CallExpr_Fun {
			return true
		}
	}
	return false
}

// call follows a value into a call: of its own method, or as an argument.
func (d *deferral) call(cur inspector.Cursor, call *ast.CallExpr, method bool) (next *types.Var, kept bool) {
	if !method {
		if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "append" {
			return nil, true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && d.p.TypesInfo.Selections[sel] != nil && !d.inside(sel.X) && !passing(d.p.TypesInfo, call) {
			return nil, true // a method of something that lives longer
		}
	}
	t := d.p.TypesInfo.TypeOf(call)
	if tuple, ok := t.(*types.Tuple); ok {
		held := false
		for v := range tuple.Variables() {
			held = held || holds(v.Type())
		}
		if !held {
			return nil, false
		}
	} else if t == nil || !holds(t) {
		return nil, false
	}
	return d.use(cur)
}

// passing reports whether a method only uses its arguments until it returns,
// or in what it returns: clients of net/http, and methods of database/sql.
func passing(info *types.Info, call *ast.CallExpr) bool {
	f, ok := typeutil.Callee(info, call).(*types.Func)
	return ok && f.Pkg() != nil && (f.Pkg().Path() == "net/http" && code.IsNamed(f.Signature().Recv().Type(), "net/http", "Client") ||
		f.Pkg().Path() == "database/sql")
}

// inside reports whether the variable at the root of x is declared in the
// loop.
func (d *deferral) inside(x ast.Expr) bool {
	v := code.Var(d.p.TypesInfo, root(x))
	return v != nil && code.Declares(code.Body(d.loop.Node()), v)
}

// assigned follows a value into the variables of an assignment.
func (d *deferral) assigned(assign *ast.AssignStmt, at inspector.Cursor) (next *types.Var, kept bool) {
	if at.ParentEdgeKind() == edge.AssignStmt_Lhs {
		return nil, false
	}
	for i, lhs := range assign.Lhs {
		if len(assign.Lhs) == len(assign.Rhs) && assign.Rhs[i] != at.Node() {
			continue
		}
		if id, ok := lhs.(*ast.Ident); ok && id.Name == "_" {
			continue
		}
		if t := d.p.TypesInfo.TypeOf(lhs); t != nil && !holds(t) {
			continue
		}
		v := code.Var(d.p.TypesInfo, lhs)
		if v == nil || !d.inside(lhs) || next != nil {
			return nil, true
		}
		next = v
	}
	return next, false
}

func (d *deferral) report() {
	d.p.Report(rule.Finding{
		Pos: d.stmt.Pos(), End: d.stmt.End(), Hot: d.loop.Node(),
		Message: fmt.Sprintf("defer %s in a loop runs only when the function returns, so that each iteration adds one that is open", d.what),
		Fixes:   d.fix(),
	})
}
