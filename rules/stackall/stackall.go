// Package stackall finds dumps of all goroutines on the way of a request or in
// a loop.
package stackall

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "stackall",
	Title: "stacks of all goroutines on a request path or in a loop",
	IDs:   []string{"C57"}, Seeds: []string{"004"},
	Tier: rule.Always, Fix: rule.B,
	Why: "runtime.Stack with all set stops the world and writes the stack of each goroutine. Its cost follows the number of goroutines, and all of " +
		"them wait for it. The stack of the calling goroutine needs no stop.",
	WhenNot: "The dump is behind a condition, after a panic or an error, on a signal, a timer or a deadline, or is the answer of a debugging handler. A " +
		"loop that only makes the buffer larger does not count.",
	Gap: "With false for true the other goroutines are no longer in the text. The rule knows callers on a request path within the package; pawl find " +
		"knows them in the whole program.",
	Signature: "runtime.Stack above runtime.tracebackothers in CPU profiles; /sched/pauses/total/other:seconds; stop-the-world “all goroutines stack trace” in traces",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkHandle", Metric: "cpu",
		Claimed: "a dump of all goroutines for each request costs milliseconds and stops everybody; the claim's ratio, over 10,000, is against no stack " +
			"at all, while the fix keeps the goroutine's own",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

// named finds functions and paths that are for looking into the program.
var named = regexp.MustCompile(`(?i)stack|goroutine|pprof|diag|debug|dump|panic|crash|signal|hang|hung|deadlock|watchdog|timeout|stall`)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("runtime", "Stack") {
		tv := p.TypesInfo.Types[call.Args[1]]
		if tv.Value == nil || !constant.BoolVal(tv.Value) {
			continue
		}
		if wanted(p, cur, call) {
			continue
		}
		f := rule.Finding{Pos: call.Pos(), End: call.End(), Fixes: one(call)}
		if loop, ok := outer(p, cur, call); ok {
			if code.Waits(p.TypesInfo, loop.Node()) {
				continue
			}
			f.Message = "runtime.Stack(…, true) in a loop stops the world for the stacks of all goroutines"
		} else {
			r := reach{p: p, calls: p.ResultOf[callers.Analyzer].(*callers.Callers)}
			f.Message = "runtime.Stack(…, true) stops the world for the stacks of all goroutines"
			_, decl := code.Decl(p.TypesInfo, cur)
			if f.If = r.conditions(decl); len(f.If) == 0 {
				continue
			}
			for _, c := range f.If {
				if c.Holds {
					f.Message += fmt.Sprintf(", and %s is %s", decl.Name(), c.Why)
					break
				}
			}
		}
		p.Report(f)
	}
}

// wanted reports whether someone asked for the dump: it stands behind a
// condition, in a function or handler that is named for it, or its text is
// what a handler answers with.
func wanted(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) bool {
	if code.Conditional(cur) || code.Rare(p.TypesInfo, cur) {
		return true
	}
	if fd, _ := code.Decl(p.TypesInfo, cur); fd == nil || named.MatchString(fd.Name.Name) {
		return true
	}
	for lit := range cur.Enclosing((*ast.FuncLit)(nil)) {
		if code.Conditional(lit) {
			return true
		}
		if reg, ok := lit.Parent().Node().(*ast.CallExpr); ok {
			for _, arg := range reg.Args {
				if s, ok := code.String(p.TypesInfo, arg); ok && named.MatchString(s) {
					return true
				}
			}
		}
	}
	return answers(p, call)
}

// answers reports whether the buffer is given to an http.ResponseWriter.
func answers(p *rule.Pass, call *ast.CallExpr) bool {
	v := buffer(p, call)
	if v == nil {
		return false
	}
	for _, use := range p.Index.Uses(v) {
		for c := range use.Enclosing((*ast.CallExpr)(nil)) {
			n := c.Node().(*ast.CallExpr)
			operands := n.Args
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				operands = append([]ast.Expr{sel.X}, operands...)
			}
			for _, x := range operands {
				if code.IsNamed(p.TypesInfo.TypeOf(x), "net/http", "ResponseWriter") {
					return true
				}
			}
		}
	}
	return false
}

// buffer returns the variable that the dump is written to.
func buffer(p *rule.Pass, call *ast.CallExpr) *types.Var {
	x := ast.Unparen(call.Args[0])
	if s, ok := x.(*ast.SliceExpr); ok {
		x = s.X
	}
	return code.Var(p.TypesInfo, x)
}

// outer returns the loop that repeats the dump. One that asks for the length
// of the buffer makes it larger until the text fits, which is no repetition.
func outer(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) (inspector.Cursor, bool) {
	v := buffer(p, call)
	for loop, ok := code.Loop(cur); ok; loop, ok = code.Loop(loop) {
		grows := false
		for _, use := range p.Index.Uses(v) {
			if c, isCall := use.Parent().Node().(*ast.CallExpr); isCall && code.Within(loop.Node(), c) {
				id, isID := c.Fun.(*ast.Ident)
				grows = grows || isID && p.TypesInfo.Uses[id] == types.Universe.Lookup("len")
			}
		}
		if !grows {
			return loop, true
		}
	}
	return cur, false
}

// one returns the fix that asks for the one goroutine.
func one(call *ast.CallExpr) []analysis.SuggestedFix {
	arg := call.Args[1]
	return []analysis.SuggestedFix{{
		Message:   "Take the stack of this goroutine only",
		TextEdits: []analysis.TextEdit{{Pos: arg.Pos(), End: arg.End(), NewText: []byte("false")}},
	}}
}

// A reach follows calls back to handlers and loops.
type reach struct {
	p     *rule.Pass
	calls *callers.Callers
}

// conditions returns what must hold of a function's callers. What the package
// shows counts only where no condition stands in between. A loop of another
// package does not count: those who ask for all stacks again and again from
// outside are programs that watch others, and tests.
func (r reach) conditions(f *types.Func) []rule.Condition {
	var all []rule.Condition
	for _, c := range []rule.Condition{r.calls.OnRequest(f), r.calls.InLoop(f)} {
		if !c.Holds && c.Kind == rule.OnRequest || c.Holds && r.always(f, c.Kind, map[*types.Func]bool{}) {
			all = append(all, c)
		}
	}
	return all
}

func (r reach) always(f *types.Func, kind rule.ConditionKind, seen map[*types.Func]bool) bool {
	if f == nil || seen[f] {
		return false
	}
	seen[f] = true
	if kind == rule.OnRequest && r.calls.Handlers[rule.FuncID(f)] != "" {
		return true
	}
	for cur := range r.p.Index.CallsOf(f) {
		if code.Conditional(cur) || code.Rare(r.p.TypesInfo, cur) {
			continue
		}
		if loop, ok := code.Loop(cur); ok && kind == rule.InLoop && !code.Waits(r.p.TypesInfo, loop.Node()) {
			return true
		}
		if _, from := code.Decl(r.p.TypesInfo, cur); r.always(from, kind, seen) {
			return true
		}
	}
	return false
}
