// Package logargs finds debug lines whose arguments are expensive to compute,
// and are computed although the level is off.
package logargs

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "logargs",
	Title: "expensive argument of a debug line whose level is off",
	IDs:   []string{"C24"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.A,
	Why: "Arguments are computed before the logger looks at the level. When debug lines are off, as in production, the result of json.Marshal, " +
		"fmt.Sprintf or a function with a loop is thrown away. A level check, or a slog.LogValuer, computes it only for lines that are written.",
	WhenNot: "The argument is a field, a constant, len, a conversion or a value whose LogValue or String the logger calls itself. The line is in a branch " +
		"for a level, a debugging switch or an error. The package sets the level to debug by a constant.",
	Gap: "A function counts as expensive when it is in the same package, only reads, and has a loop or formats; others are not judged. The fix is " +
		"proven (A) where arguments cannot panic and no String, Error or MarshalJSON of the program can run; else it is a proposal. A handler whose " +
		"Enabled has effects is asked twice. With the level on the guard gains nothing. Stacks are another rule's: logstack.",
	Signature: "fmt.Sprintf, encoding/json.Marshal or a function that describes a value, in CPU and allocation profiles below a function that logs, with no log output",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkTake", Metric: "cpu",
		Claimed: "an expensive log value is always computed; computed lazily it costs nothing while the level is off",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, effects.Analyzer)

func run(p *rule.Pass) {
	r := &reader{p: p, known: map[*types.Func]verdict{}}
	for l := range code.LogCalls(p.Index, p.TypesInfo, "Debug") {
		for at, given := range code.Wrapped(p.Index, p.TypesInfo, l.Cur) {
			if outer := (code.LogCall{Cur: at, Call: given}); !outer.Rare(p.TypesInfo) {
				r.look(outer, false)
			}
		}
		if !l.Rare(p.TypesInfo) {
			r.look(l, true)
		}
	}
}

// look reports a line with an expensive argument, which is the logger's own call or that
// of a function which passes its arguments on.
func (r *reader) look(l code.LogCall, own bool) {
	call, feeders := r.expensive(l)
	if call != nil && !code.DebugIsOn(r.p.Index) {
		r.report(l, call, feeders, own)
	}
}

// expensive returns the first expensive call among the line's arguments, and
// the statement that holds it when that is not the line itself.
func (r *reader) expensive(l code.LogCall) (*ast.CallExpr, []*ast.AssignStmt) {
	for _, arg := range l.Call.Args {
		if call := r.within(arg); call != nil {
			return call, nil
		}
	}
	for _, f := range l.Feeders(r.p.Index, r.p.TypesInfo) {
		if call := r.within(f.Rhs[0]); call != nil {
			return call, []*ast.AssignStmt{f}
		}
	}
	return nil, nil
}

func (r *reader) within(x ast.Expr) *ast.CallExpr { return code.Here(x, r.costs) }

// costs reports whether a call is expensive and good for nothing but its
// result.
func (r *reader) costs(call *ast.CallExpr) bool {
	f := typeutil.StaticCallee(r.p.TypesInfo, call)
	if f == nil {
		return false
	}
	if costly[code.FullName(f)] {
		for _, arg := range call.Args {
			if r.p.TypesInfo.Types[arg].Value == nil {
				return true
			}
		}
		return f.Signature().Recv() != nil
	}
	v := r.function(f, 0)
	return v.reads && v.costs
}

func (r *reader) report(l code.LogCall, call *ast.CallExpr, feeders []*ast.AssignStmt, own bool) {
	p := r.p
	f := rule.Finding{
		Pos: call.Pos(), End: call.End(), Class: rule.N,
		Message: fmt.Sprintf("%s is computed before the logger knows that debug lines are off", p.Source(call.Fun)),
	}
	if class := r.grade(l, feeders); class != rule.N && own {
		if edits, ok := l.Guard(p.TypesInfo, p.Pkg, p.File(l.Call.Pos()), feeders, p.Source); ok {
			f.Class = class
			f.Fixes = []analysis.SuggestedFix{{Message: "Ask whether the level is enabled first", TextEdits: edits}}
		}
	}
	p.Report(f)
}

// grade says what is known of leaving the arguments and feeders out: nothing
// is lost (A); nothing but a panic, or what a function that was seen to read
// only does (B); or effects may be (N).
func (r *reader) grade(l code.LogCall, feeders []*ast.AssignStmt) rule.Class {
	e := r.p.ResultOf[effects.Analyzer].(*effects.Effects)
	proposal := false
	loss := effects.LossOf(r.p.TypesInfo, e, func(c *ast.CallExpr) bool {
		f := typeutil.StaticCallee(r.p.TypesInfo, c)
		switch {
		case f == nil || e.Call(c).Pure:
			return false
		case formats[code.FullName(f)]:
			proposal = proposal || f.Signature().Recv() != nil // which may be nil
			for _, arg := range c.Args {
				proposal = proposal || !inert(r.p.TypesInfo.TypeOf(arg))
			}
			return true
		case r.function(f, 0).reads:
			proposal = true
			return true
		}
		return false
	}, l, feeders)
	switch {
	case loss == code.AnyLoss:
		return rule.N
	case loss == code.PanicLoss || proposal:
		return rule.B
	}
	return rule.A
}
