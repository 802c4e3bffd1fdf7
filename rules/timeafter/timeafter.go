// Package timeafter finds time.After in a select of a loop, which makes a
// timer and a channel in each iteration.
package timeafter

import (
	"fmt"
	"go/ast"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "timeafter",
	Title: "time.After in a select of a loop",
	IDs:   []string{"C53"}, Seeds: []string{"004"},
	Tier: rule.Profiled, Fix: rule.A, Go: "go1.23", GoLine: true,
	Why: "time.After makes a timer and a channel each time it is called, three allocations. One timer before the loop, set anew before each select, makes " +
		"none. Since Go 1.23 nothing else is left of the old advice: a timer that nobody holds is collected before it fires.",
	WhenNot: "The loop turns rarely; the line is cold. time.After is then the shorter way and does no harm.",
	Gap: "The new timer needs no draining, because Reset of Go 1.23 drops a value that was not received. Before Go 1.27, a main module of an older go " +
		"line, or asynctimerchan=1 in GODEBUG or go.mod, brings the old timers back. With them a late value would look like a timeout, so outside package main " +
		"the fix is a proposal. The go line counts, and not a //go:build line of the file. The gain is allocation; older figures of 7.7 times are not " +
		"reached.",
	Signature: "time.NewTimer and runtime.makechan below time.After in alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkSum", Metric: "allocs",
		Claimed: "4800 ns, 208 B and 3 allocations per turn with time.After, 620 ns and none with one timer", Ratio: 7.74,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	h := &hoister{p: p, names: map[ast.Node]int{}}
	for cur, call := range channels(p) {
		if w := h.look(cur, call); w != nil {
			h.report(w)
		}
		for at, outer := range code.Wrapped(p.Index, p.TypesInfo, cur) {
			if h.look(at, outer) != nil {
				p.Report(rule.Finding{
					Pos: outer.Pos(), End: outer.End(), Class: rule.N,
					Message: p.Source(outer.Fun) + " makes a timer and a channel in each iteration; one timer that is reset needs none",
				})
			}
		}
	}
}

// channels yields time.After(d) and time.NewTimer(d).C, each with the call in it.
func channels(p *rule.Pass) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	return func(yield func(inspector.Cursor, *ast.CallExpr) bool) {
		for cur, call := range p.Index.Calls("time", "After") {
			if !yield(cur, call) {
				return
			}
		}
		for cur, call := range p.Index.Calls("time", "NewTimer") {
			if sel, ok := cur.Parent().Node().(*ast.SelectorExpr); ok && sel.Sel.Name == "C" && !yield(cur.Parent(), call) {
				return
			}
		}
	}
}

type hoister struct {
	p     *rule.Pass
	names map[ast.Node]int // given out, by function
}

// A wait is time.After as a case of a select in a loop.
type wait struct {
	cur  inspector.Cursor // the channel
	call *ast.CallExpr
	sel  inspector.Cursor
	loop inspector.Cursor
}

// look returns the wait, or nil where the rule does not apply.
func (h *hoister) look(cur inspector.Cursor, call *ast.CallExpr) *wait {
	if h.p.IsTest(call.Pos()) || cur.ParentEdgeKind() != edge.UnaryExpr_X {
		return nil
	}
	comm := cur.Parent().Parent()
	switch comm.Node().(type) {
	case *ast.ExprStmt, *ast.AssignStmt: // case <-time.After(d), case t := <-time.After(d)
	default:
		return nil
	}
	if comm.ParentEdgeKind() != edge.CommClause_Comm {
		return nil
	}
	sel := comm.Parent().Parent().Parent() // clause, body, select
	loop, ok := code.Loop(sel)
	if _, is := sel.Node().(*ast.SelectStmt); !is || !ok {
		return nil
	}
	return &wait{cur: cur, call: call, sel: sel, loop: loop}
}

func (h *hoister) report(w *wait) {
	f := rule.Finding{
		Pos: w.cur.Node().Pos(), End: w.cur.Node().End(),
		Message: h.p.Source(w.call.Fun) + " makes a timer and a channel in each iteration; one timer before the loop, with Reset before the select, makes none",
	}
	if edits, known := h.edits(w); edits != nil {
		f.Class = rule.B
		if known && h.newTimers() {
			f.Class = rule.A
		}
		f.Fixes = []analysis.SuggestedFix{{Message: "Make one timer and reset it", TextEdits: edits}}
	}
	h.p.Report(f)
}

// edits makes the timer before the loop, sets it before the select and waits
// for it there. Known says that the duration is the same in each iteration.
func (h *hoister) edits(w *wait) (edits []analysis.TextEdit, known bool) {
	loop := w.loop
	for loop.ParentEdgeKind() == edge.LabeledStmt_Stmt {
		loop = loop.Parent()
	}
	stmt, ok := code.Stmt(w.sel)
	if !ok || stmt.Index() != w.sel.Index() || !h.prompt(w) {
		return nil, false
	}
	if outer, ok := code.Stmt(loop); !ok || outer.Index() != loop.Index() {
		return nil, false
	}
	fn, ok := code.Func(w.cur)
	sel, isSel := ast.Unparen(w.call.Fun).(*ast.SelectorExpr)
	if !ok || !isSel || code.Jumps(fn.Node()) {
		return nil, false
	}
	d := w.call.Args[0]
	known = code.Invariant(h.p.Index, h.p.TypesInfo, d, w.loop.Node())
	start := h.p.Source(d)
	if !known || code.MentionsOf(h.p.TypesInfo, d, w.loop.Node()) {
		start = "0" // any: it is set before it is waited for
	}
	qualifier := h.p.Source(sel.X)
	if code.Qualifier(h.p.TypesInfo, h.p.Pkg, h.p.File(w.call.Pos()), loop.Node().Pos(), "time") != qualifier {
		return nil, false
	}
	name := h.name(fn.Node())
	at, before := loop.Node().Pos(), w.sel.Node().Pos()
	return []analysis.TextEdit{
		{Pos: at, End: at, NewText: []byte(fmt.Sprintf("%s := %s.NewTimer(%s)\n", name, qualifier, start))},
		{Pos: before, End: before, NewText: []byte(fmt.Sprintf("%s.Reset(%s)\n", name, h.p.Source(d)))},
		{Pos: w.cur.Node().Pos(), End: w.cur.Node().End(), NewText: []byte(name + ".C")},
	}, known
}

func (h *hoister) name(fn ast.Node) string {
	want := "timeout"
	if n := h.names[fn]; n > 0 {
		want = fmt.Sprintf("timeout%d", n+1)
	}
	h.names[fn]++
	return code.FreeLocal(fn, want)
}

// prompt reports whether the other cases take no time to evaluate, so that the
// timer may be set before them. Cases are evaluated in their order.
func (h *hoister) prompt(w *wait) bool {
	for _, clause := range w.sel.Node().(*ast.SelectStmt).Body.List {
		comm := clause.(*ast.CommClause).Comm
		if comm == nil || code.Within(comm, w.call) {
			continue
		}
		quick := !code.Any(comm, func(call *ast.CallExpr) bool { return !h.quick(call) })
		if !quick {
			return false
		}
	}
	return true
}

// quick reports whether a call is a conversion, a builtin, the Done of a
// context or another timer.
func (h *hoister) quick(call *ast.CallExpr) bool {
	if tv := h.p.TypesInfo.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return true
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := h.p.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && slices.Contains([]string{"(context.Context).Done", "time.After", "time.NewTimer"}, f.FullName())
}

// newTimers reports whether the program is sure to have the timers of Go 1.23:
// the package is the program's own, and nothing in it asks for the old ones.
func (h *hoister) newTimers() bool {
	return h.p.Pkg.Name() == "main" && !code.Setting(h.p.Fset, h.p.Files, "asynctimerchan")
}
