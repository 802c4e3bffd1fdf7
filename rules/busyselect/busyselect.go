// Package busyselect finds loops around a select whose default does nothing.
package busyselect

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "busyselect",
	Title: "select with an empty default in a loop",
	IDs:   []string{"C40"}, Seeds: []string{"000", "004"},
	Tier: rule.Always, Fix: rule.A,
	Why: "With a default that does nothing the loop never waits: it asks the channels again and again and uses a whole processor while there is no " +
		"work. Without the default the goroutine sleeps until a channel is ready.",
	WhenNot: "The default does something (works, sleeps, yields, leaves). The loop does something besides the select, counts, or goes on while a channel " +
		"has elements. The goroutine is locked to its thread, as for polling hardware.",
	Gap: "A closed channel makes the loop spin before and after. A channel or a value to send that comes from a call, or from a variable that others " +
		"write, is read once after the fix instead of in each turn: such fixes are proposals. A loop whose condition others may change has no fix.",
	Signature: "runtime.selectnbrecv, runtime.chanrecv or runtime.selectgo flat in CPU profiles, with CPU time while idle",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkSum", Metric: "cpu",
		Claimed: "a spinning worker takes a whole processor while idle, a blocked one none",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.SelectStmt)(nil)) {
		s := &poll{p: p, cur: cur, sel: cur.Node().(*ast.SelectStmt)}
		if s.applies() {
			s.report()
		}
		s.called()
	}
}

// called reports a select that is all that a function does, where a loop without a
// condition does nothing but call it.
func (s *poll) called() {
	body := s.cur.Parent()
	block, ok := body.Node().(*ast.BlockStmt)
	fn, _ := code.Func(s.cur)
	if !ok || body.Parent() != fn || len(block.List) != 1 || !s.emptyDefault() || s.locked() {
		return
	}
	for at, call := range code.Calls(s.p.Index, s.p.TypesInfo, fn) {
		around := at.Parent().Parent()
		loop, ok := around.Parent().Node().(*ast.ForStmt)
		if !ok || around.ParentEdgeKind() != edge.ForStmt_Body || loop.Cond != nil || loop.Post != nil || len(loop.Body.List) != 1 {
			continue
		}
		s.p.Report(rule.Finding{
			Pos: at.Node().Pos(), End: at.Node().End(), Hot: loop,
			Message: s.p.Source(call.Fun) + " has an empty default, so that the loop asks the channels without pause; without it the goroutine sleeps until one is ready",
		})
	}
}

// A poll is a select with an empty default that is all that a loop does.
type poll struct {
	p     *rule.Pass
	cur   inspector.Cursor
	sel   *ast.SelectStmt
	loop  *ast.ForStmt
	label string // of the loop
	empty *ast.CommClause
	next  ast.Node // the clause after the default, or nil
}

func (s *poll) applies() bool {
	body := s.cur.Parent()
	block, ok := body.Node().(*ast.BlockStmt)
	if !ok || len(block.List) != 1 || body.ParentEdgeKind() != edge.ForStmt_Body || len(s.sel.Body.List) < 2 {
		return false
	}
	s.loop = body.Parent().Node().(*ast.ForStmt)
	if l, ok := body.Parent().Parent().Node().(*ast.LabeledStmt); ok {
		s.label = l.Label.Name
	}
	return s.emptyDefault() && s.loop.Post == nil && s.waits() && !s.locked()
}

// emptyDefault finds the default that does nothing.
func (s *poll) emptyDefault() bool {
	for i, clause := range s.sel.Body.List {
		c := clause.(*ast.CommClause)
		if c.Comm != nil || !s.nothing(c.Body) {
			continue
		}
		s.empty = c
		if i+1 < len(s.sel.Body.List) {
			s.next = s.sel.Body.List[i+1]
		}
	}
	return s.empty != nil && len(s.sel.Body.List) > 1
}

// nothing reports whether statements do no more than to go on with the loop.
func (s *poll) nothing(body []ast.Stmt) bool {
	for _, stmt := range body {
		b, ok := stmt.(*ast.BranchStmt)
		if _, empty := stmt.(*ast.EmptyStmt); !empty && (!ok || b.Tok != token.CONTINUE || b.Label != nil && b.Label.Name != s.label) {
			return false
		}
	}
	return true
}

// waits reports whether the loop's condition, if any, lets it go on until a channel is
// ready or others end it: it does not count a channel's elements.
func (s *poll) waits() bool {
	return s.loop.Cond == nil || !code.Any(s.loop.Cond, func(call *ast.CallExpr) bool { return s.p.TypesInfo.Types[call.Fun].IsBuiltin() })
}

// settled reports whether nothing but the cases can change the loop's condition: the
// default leaves it as it was, and so does waiting for a case.
func (s *poll) settled() bool {
	if s.loop.Cond == nil {
		return true
	}
	return !code.Any(s.loop.Cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.Ident:
			v, ok := s.p.TypesInfo.Uses[n].(*types.Var)
			return ok && (!code.Local(v) || code.Captured(s.p.Index, s.p.TypesInfo, v))
		}
		return false
	})
}

// locked reports whether the function locks its thread.
func (s *poll) locked() bool {
	fn, ok := code.Func(s.cur)
	if !ok {
		return true
	}
	for cur := range s.p.Index.Calls("runtime", "LockOSThread") {
		if code.Within(fn.Node(), cur.Node()) {
			return true
		}
	}
	return false
}

func (s *poll) report() {
	f := rule.Finding{
		Pos: s.empty.Pos(), End: s.empty.Colon + 1, Hot: s.loop,
		Message: "the empty default makes the loop ask the channels without pause; without it the goroutine sleeps until one is ready",
	}
	if s.settled() {
		f.Class = rule.A
		if !s.steady() {
			f.Class = rule.B
		}
		f.Fixes = []analysis.SuggestedFix{{Message: "Remove the default", TextEdits: []analysis.TextEdit{s.removal()}}}
	} else {
		f.Message = "the empty default makes the loop ask the channels and its condition without pause; a channel that is closed when the condition ends could be waited for"
	}
	s.p.Report(f)
}

// removal deletes the clause with its comments, but not with those that stand
// before the next one.
func (s *poll) removal() analysis.TextEdit {
	end := s.sel.Body.Rbrace
	if s.next != nil {
		end = s.next.Pos()
		column := s.p.Fset.Position(s.empty.Pos()).Column
		for _, group := range s.p.File(end).Comments {
			for _, c := range group.List {
				if s.empty.End() < c.Pos() && c.Pos() < end && s.p.Fset.Position(c.Pos()).Column == column {
					end = c.Pos()
				}
			}
		}
	}
	return analysis.TextEdit{Pos: s.empty.Pos(), End: end}
}

// steady reports whether the operands of the other cases stay what they are
// while the goroutine sleeps.
func (s *poll) steady() bool {
	for _, clause := range s.sel.Body.List {
		var ok bool
		switch comm := clause.(*ast.CommClause).Comm.(type) {
		case nil:
			ok = true
		case *ast.SendStmt:
			ok = s.same(comm.Chan) && s.same(comm.Value)
		case *ast.ExprStmt:
			ok = s.received(comm.X)
		case *ast.AssignStmt:
			ok = s.received(comm.Rhs[0])
		}
		if !ok {
			return false
		}
	}
	return true
}

func (s *poll) received(x ast.Expr) bool {
	u, ok := ast.Unparen(x).(*ast.UnaryExpr)
	return ok && s.same(u.X)
}

// same reports whether an operand is a constant, a local variable that no
// function literal writes, a parameter's or variable's field, or the Done
// channel of a context.
func (s *poll) same(x ast.Expr) bool {
	if s.p.TypesInfo.Types[x].Value != nil {
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v := code.Var(s.p.TypesInfo, x)
		return v != nil && code.Local(v) && !code.Captured(s.p.Index, s.p.TypesInfo, v)
	case *ast.SelectorExpr:
		sel := s.p.TypesInfo.Selections[x]
		_, isChan := s.p.TypesInfo.TypeOf(x).Underlying().(*types.Chan)
		return sel != nil && sel.Kind() == types.FieldVal && isChan && s.same(x.X)
	case *ast.CallExpr:
		sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		f, ok := s.p.TypesInfo.Uses[sel.Sel].(*types.Func)
		return ok && f.FullName() == "(context.Context).Done" && s.same(sel.X)
	}
	return false
}
