// Package logstack finds stacks and callers that are captured for a log line
// which is usually not written.
package logstack

import (
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "logstack",
	Title: "stack captured for a log line below the level",
	IDs:   []string{"C25"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.A,
	Why: "Arguments are computed before the logger looks at the level. debug.Stack walks and symbolises the whole stack and allocates its text; " +
		"runtime.Caller does so for one frame. That happens each time the line is reached, written or not.",
	WhenNot: "The capture is in a branch for an error, a recovered panic, a level or a debugging switch. The line is a warning or an error. The package " +
		"sets the level to debug by a constant.",
	Gap: "A handler whose Enabled has effects, such as one that samples there, is asked twice. Where an argument may panic, the guard takes the panic " +
		"away with the line, and the class is B. Loggers other than slog's, and captures not next to the line, are reported without a fix. Info lines " +
		"are reported on a request path or in a loop only.",
	Signature: "runtime/debug.Stack, runtime.Callers or runtime.gentraceback in CPU and allocation profiles, below a function that logs, with no log output",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkHandle", Metric: "cpu",
		Claimed: "capturing a stack for a debug line is paid whether or not the level is enabled; a level check removes it",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	if !p.Index.Imports("runtime", "runtime/debug") {
		return
	}
	s := newStacks(p)
	for _, level := range []string{"Debug", "Info"} {
		for l := range code.LogCalls(p.Index, p.TypesInfo, level) {
			if call, feeders := s.capture(p, l); call != nil && !l.Rare(p.TypesInfo) && !(level == "Debug" && code.DebugIsOn(p.Index)) {
				s.report(p, l, call, feeders)
			}
		}
	}
}

// stacks are the calls of functions of the package that do no more than capture a stack and
// make a text of it, and whether nothing is lost without them.
type stacks map[*ast.CallExpr]bool

func newStacks(p *rule.Pass) stacks {
	s := stacks{}
	for _, f := range [][2]string{{"runtime", "Caller"}, {"runtime", "Callers"}, {"runtime", "Stack"}, {"runtime/debug", "Stack"}} {
		for cur, call := range p.Index.Calls(f[0], f[1]) {
			if !captures(p.TypesInfo, call) {
				continue
			}
			s.helper(p, cur)
			if conv, ok := cur.Parent().Node().(*ast.CallExpr); ok && p.TypesInfo.Types[conv.Fun].IsType() {
				cur = cur.Parent()
			}
			for _, by := range code.Wrapped(p.Index, p.TypesInfo, cur) {
				s[by] = quiet(p.TypesInfo, call)
			}
		}
	}
	return s
}

// helper adds the calls of the function around a capture.
func (s stacks) helper(p *rule.Pass, cur inspector.Cursor) {
	decl, f := code.Decl(p.TypesInfo, cur)
	if f == nil || f.Signature().Results().Len() == 0 || !code.Only(p.TypesInfo, decl.Body, func(call *ast.CallExpr) bool {
		of := code.Callee(p.TypesInfo, call)
		return captures(p.TypesInfo, call) || code.Formats(of) || of != nil && of.Pkg() != nil && texts[of.Pkg().Path()]
	}) {
		return
	}
	for _, call := range p.Index.CallsOf(f) {
		s[call] = false
	}
}

// texts are the packages that turn a stack into a text.
var texts = code.Set("runtime strings bytes path path/filepath strconv")

// capture returns the call that captures a stack for the line, and the
// statement that holds it when that is not the line itself.
func (s stacks) capture(p *rule.Pass, l code.LogCall) (*ast.CallExpr, []*ast.AssignStmt) {
	if call := s.within(p.TypesInfo, l.Call); call != nil {
		return call, nil
	}
	for _, f := range l.Feeders(p.Index, p.TypesInfo) {
		if call := s.within(p.TypesInfo, f.Rhs[0]); call != nil {
			return call, []*ast.AssignStmt{f}
		}
	}
	return nil, nil
}

func (s stacks) within(info *types.Info, x ast.Expr) *ast.CallExpr {
	return code.Here(x, func(call *ast.CallExpr) bool {
		_, by := s[call]
		return by || captures(info, call)
	})
}

// captures reports whether a call walks the stack. With all goroutines it is
// another rule's.
func captures(info *types.Info, call *ast.CallExpr) bool {
	for _, name := range []string{"Caller", "Callers"} {
		if code.IsFunc(info, call, "runtime", name) {
			return true
		}
	}
	if code.IsFunc(info, call, "runtime", "Stack") {
		all := info.Types[call.Args[1]].Value
		return all != nil && !constant.BoolVal(all)
	}
	return code.IsFunc(info, call, "runtime/debug", "Stack")
}

func (s stacks) report(p *rule.Pass, l code.LogCall, call *ast.CallExpr, feeders []*ast.AssignStmt) {
	name := p.Source(call.Fun)
	f := rule.Finding{Pos: call.Pos(), End: call.End(), Class: rule.N}
	if l.Level == "Info" {
		calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
		_, decl := code.Decl(p.TypesInfo, l.Cur)
		f.Message = name + " captures the stack for each of these lines"
		if !code.Looped(p.Index, p.TypesInfo, l.Cur) {
			calls.Often(&f, decl)
		}
		p.Report(f)
		return
	}
	f.Message = name + " captures the stack before the logger knows that debug lines are off"
	if class := s.grade(p, l, feeders); class != rule.N {
		if edits, ok := l.Guard(p.TypesInfo, p.Pkg, p.File(l.Call.Pos()), feeders, p.Source); ok {
			f.Class = class
			f.Fixes = []analysis.SuggestedFix{{Message: "Ask whether the level is enabled first", TextEdits: edits}}
		}
	}
	p.Report(f)
}

// grade says what is known of leaving the arguments and feeders out: nothing
// is lost (A), a panic may be (B), or effects may be (N).
func (s stacks) grade(p *rule.Pass, l code.LogCall, feeders []*ast.AssignStmt) rule.Class {
	switch effects.LossOf(p.TypesInfo, nil, func(call *ast.CallExpr) bool { return s[call] || quiet(p.TypesInfo, call) }, l, feeders) {
	case code.NoLoss:
		return rule.A
	case code.PanicLoss:
		return rule.B
	}
	return rule.N
}

// quiet reports whether a call is a capture that has no effect and cannot panic.
func quiet(info *types.Info, call *ast.CallExpr) bool {
	return captures(info, call) && !code.IsFunc(info, call, "runtime", "Callers") && !code.IsFunc(info, call, "runtime", "Stack") // which write to their arguments
}
