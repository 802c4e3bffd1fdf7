// Package abandonedsend finds goroutines that send to a channel which the function
// that waits for it may leave without receiving.
package abandonedsend

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "abandonedsend",
	Title: "a goroutine waits for ever to send what nobody receives any more",
	IDs:   []string{"C39"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.B,
	Why: "The function waits for a result or for something else, such as a timeout, and returns. The channel has no buffer, so that the goroutine then " +
		"waits in its send for ever. It keeps its stack and all that it refers to.",
	WhenNot: "The channel has a buffer, is closed, or is given to anybody else. The function is main, whose end ends all. Every way out of the function " +
		"receives first.",
	Gap: "With a buffer of one the goroutine ends whether or not somebody receives; what follows the send no longer waits for the receiver. A goroutine " +
		"that sends more than once gets no fix: it needs a context.",
	Signature: "goroutines below one line that wait in runtime.chansend1, more at each reading, in goroutine profiles; all of them in a goroutineleak profile",
	Evidence: &rule.Evidence{
		Exempt: "what is lost is memory that grows with each timeout, not time",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.GoStmt)(nil)) {
		lit, ok := cur.Node().(*ast.GoStmt).Call.Fun.(*ast.FuncLit)
		_, decl := code.Decl(p.TypesInfo, cur)
		if !ok || decl == nil || decl.Name() == "main" {
			continue
		}
		for send := range code.All[*ast.SendStmt](lit.Body) {
			v := code.Var(p.TypesInfo, send.Chan)
			s := &spawn{p: p, cur: cur, lit: lit, ch: v}
			if code.Local(v) && s.unbuffered() && (s.ours() && s.leaves() || s.handed()) {
				s.report(send)
				break
			}
		}
	}
}

// A spawn is a goroutine that sends to a channel of the function that starts it.
type spawn struct {
	p     *rule.Pass
	cur   inspector.Cursor // the go statement
	lit   *ast.FuncLit
	ch    *types.Var
	make  *ast.CallExpr
	sends int
	many  bool // the goroutine is started in a loop, and the channel made before it
}

// unbuffered finds the making of the channel, in the function that starts the
// goroutine, and once for each.
func (s *spawn) unbuffered() bool {
	fn, ok := code.Func(s.cur)
	if !ok {
		return false
	}
	a, x := code.Origin(s.p.Index, s.p.TypesInfo, fn.Node(), s.ch)
	call, ok := x.(*ast.CallExpr)
	if !ok || !code.IsBuiltin(s.p.TypesInfo, call, "make") || len(call.Args) != 1 {
		return false
	}
	s.make = call
	at, found := s.p.Index.Inspect.Root().FindNode(a)
	if !found {
		return false
	}
	made, _ := code.Loop(at)
	started, _ := code.Loop(s.cur)
	home, _ := code.Func(at)
	if home.Index() != fn.Index() {
		return false
	}
	s.many = !sameBlock(at, s.cur) && code.Within(fn.Node(), started.Node()) && started.Parent() == at.Parent()
	return s.many || made.Index() == started.Index() && sameBlock(at, s.cur)
}

// sameBlock reports whether what stands at two places is in the same loop, or in
// none: Loop returns the function where there is none.
func sameBlock(a, b inspector.Cursor) bool {
	_, x := code.Loop(a)
	_, y := code.Loop(b)
	return x == y
}

// ours reports whether the channel is used for sends of the goroutine, not in a loop
// or select, and for receives of the function, and for nothing else.
func (s *spawn) ours() bool {
	fn, _ := code.Func(s.cur)
	for _, use := range s.p.Index.Uses(s.ch) {
		home, _ := code.Func(use)
		switch use.ParentEdgeKind() {
		case edge.SendStmt_Chan:
			if !s.plain(use) {
				return false
			}
			s.sends++
		case edge.UnaryExpr_X:
			_, loop := code.Loop(use)
			if use.Parent().Node().(*ast.UnaryExpr).Op != token.ARROW || home.Index() != fn.Index() || s.many && loop {
				return false
			}
		default:
			return false
		}
	}
	return s.sends > 0
}

// plain reports whether a send is the goroutine's own, once, and waits for nothing else.
func (s *spawn) plain(send inspector.Cursor) bool {
	home, _ := code.Func(send)
	_, loop := code.Loop(send)
	return home.Node() == s.lit && !loop && send.Parent().ParentEdgeKind() != edge.CommClause_Comm
}

// handed reports whether the function does no more with the channel than to return it, and
// one that calls it, in no loop, can end without having received.
func (s *spawn) handed() bool {
	s.sends = 0
	for _, use := range s.p.Index.Uses(s.ch) {
		if !code.Within(s.lit, use.Node()) {
			continue
		}
		if use.ParentEdgeKind() != edge.SendStmt_Chan || !s.plain(use) {
			return false
		}
		s.sends++
	}
	for at, v := range code.Handed(s.p.Index, s.p.TypesInfo, s.cur, s.ch) {
		stmt, ok := code.Stmt(at)
		caller := &spawn{p: s.p, cur: stmt, lit: s.lit, ch: v, sends: s.sends}
		if _, loop := code.Loop(at); ok && !loop && caller.ours() && caller.leaves() {
			return true
		}
	}
	return false
}

// leaves reports whether the function can end, after it has started the goroutine,
// without having received.
func (s *spawn) leaves() bool {
	if s.many { // one receive, of what many send
		return !s.few()
	}
	fn, _ := code.Func(s.cur)
	g := code.Graph(s.p.TypesInfo, fn.Node())
	if g == nil {
		return false
	}
	for _, b := range g.Blocks {
		for i, n := range b.Nodes {
			if n == s.cur.Node() {
				return s.ends(b, b.Nodes[i+1:], map[*cfg.Block]bool{})
			}
		}
	}
	return false
}

// few reports whether the loop that starts the goroutines may be as short as what is
// received, as far as can be seen.
func (s *spawn) few() bool {
	loop, _ := code.Loop(s.cur)
	rng, ok := loop.Node().(*ast.RangeStmt)
	return !ok || code.Few(s.p, rng.X, 16) || code.Any(rng.Body, func(*ast.BranchStmt) bool { return true })
}

func (s *spawn) ends(b *cfg.Block, nodes []ast.Node, seen map[*cfg.Block]bool) bool {
	if clause, ok := b.Stmt.(*ast.CommClause); ok && b.Kind == cfg.KindSelectCaseBody && s.receives(clause.Comm) {
		return false
	}
	for _, n := range nodes {
		if s.receives(n) && !s.selects(n) {
			return false
		}
	}
	if len(b.Succs) == 0 {
		waits := b.Kind == cfg.KindSelectAfterCase && len(nodes) == 0 // no case of a select without default
		return !waits && !panics(s.p.TypesInfo, nodes)
	}
	for _, next := range b.Succs {
		if !seen[next] {
			seen[next] = true
			if s.ends(next, next.Nodes, seen) {
				return true
			}
		}
	}
	return false
}

// selects reports whether a statement is what a case of a select waits for: the graph
// has all of these before the select, and only one of them comes true.
func (s *spawn) selects(n ast.Node) bool {
	at, ok := s.p.Index.Inspect.Root().FindNode(n)
	return ok && at.ParentEdgeKind() == edge.CommClause_Comm
}

// panics reports whether a block ends with a call that does not return.
func panics(info *types.Info, nodes []ast.Node) bool {
	if len(nodes) == 0 {
		return false
	}
	expr, ok := nodes[len(nodes)-1].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := expr.X.(*ast.CallExpr)
	return ok && !code.MayReturn(info, call)
}

func (s *spawn) receives(n ast.Node) bool {
	return code.Here(n, func(x *ast.UnaryExpr) bool { return x.Op == token.ARROW && code.Var(s.p.TypesInfo, x.X) == s.ch }) != nil
}

func (s *spawn) report(send *ast.SendStmt) {
	f := rule.Finding{
		Pos: send.Pos(), End: send.End(),
		Message: "this send waits for ever once the function has returned without receiving; a buffer of one lets the goroutine end",
		Related: []analysis.RelatedInformation{{Pos: s.make.Pos(), End: s.make.End(), Message: "the channel without a buffer"}},
	}
	if s.many {
		f.Message = "the goroutines of this loop send more than the function receives, and wait for ever with what is left; room for all in the channel lets them end"
	} else if s.sends == 1 {
		f.Fixes = []analysis.SuggestedFix{{Message: "Buffer the result", TextEdits: []analysis.TextEdit{
			{Pos: s.make.Rparen, End: s.make.Rparen, NewText: []byte(", 1")},
		}}}
	}
	s.p.Report(f)
}
