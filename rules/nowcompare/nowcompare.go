// Package nowcompare finds readings of the clock that are only compared with another
// time.
package nowcompare

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "nowcompare",
	Title: "time.Now only to compare it with another time",
	IDs:   []string{"X05"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "time.Now reads two clocks, that of the wall and the monotonic one. time.Since and time.Until read the monotonic one alone where the other " +
		"time has a monotonic reading, as each does that comes from time.Now.",
	WhenNot: "The line is cold. The other time was parsed, decoded or made of numbers: it has no monotonic reading, and both forms cost the same.",
	Gap: "The sign of time.Until(t) is that of a comparison also where the difference is too large for a Duration. A call that makes the other time " +
		"would run before the clock is read instead of after, which is class B. A time.Now that a variable holds is not seen.",
	Signature: "time.Now and runtime.walltime below the line in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkLive", Metric: "cpu",
		Claimed: "one clock is read instead of two",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// A form is what stands for one way to compare: a function, and the operators that
// compare its result with zero, as asked and when negated.
type form struct{ fn, op, not string }

// forms are those of time.Now().M(t), and of t.M(time.Now()).
var forms = map[string][2]form{
	"(time.Time).Sub":    {{fn: "Since"}, {fn: "Until"}},
	"(time.Time).After":  {{"Until", "<", ">="}, {"Until", ">", "<="}},
	"(time.Time).Before": {{"Until", ">", "<="}, {"Until", "<", ">="}},
}

func run(p *rule.Pass) {
	for cur, now := range p.Index.Calls("time", "Now") {
		if outer, ok := code.MethodCall(cur); ok {
			if call := outer.Node().(*ast.CallExpr); len(call.Args) == 1 {
				report(p, outer, now, call.Args[0], 0)
			}
		} else if cur.ParentEdgeKind() == edge.CallExpr_Args {
			call := cur.Parent().Node().(*ast.CallExpr)
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				report(p, cur.Parent(), now, sel.X, 1)
			}
		}
	}
}

// report reports a comparison of the time now with another; side is 0 where the method
// is called on now.
func report(p *rule.Pass, cur inspector.Cursor, now *ast.CallExpr, other ast.Expr, side int) {
	fn := code.Callee(p.TypesInfo, cur.Node().(*ast.CallExpr))
	pkg, qualified := ast.Unparen(now.Fun).(*ast.SelectorExpr)
	if fn == nil || !qualified || code.Deferred(cur) {
		return
	}
	f, ok := forms[rule.FuncID(fn)]
	t := p.TypesInfo.TypeOf(other)
	if _, pointer := t.Underlying().(*types.Pointer); !ok || pointer || !code.IsNamed(t, "time", "Time") {
		return
	}
	text := p.Source(pkg.X) + "." + f[side].fn + "(" + p.Source(other) + ")"
	if op := f[side].op; op != "" {
		for cur.ParentEdgeKind() == edge.ParenExpr_X {
			cur = cur.Parent()
		}
		if not, ok := cur.Parent().Node().(*ast.UnaryExpr); ok && not.Op == token.NOT {
			cur, op = cur.Parent(), f[side].not
		}
		text += " " + op + " 0"
		if b, ok := cur.Parent().Node().(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			text = "(" + text + ")"
		}
	}
	class := rule.A
	if side == 0 && evaluating(p.TypesInfo).Of(other).Grade != code.NoLoss {
		class = rule.B
	}
	p.Report(rule.Finding{
		Pos: cur.Node().Pos(), End: cur.Node().End(), Class: class,
		Message: "time.Now reads two clocks to compare one; time." + f[side].fn + " reads the monotonic one alone",
		Fixes:   code.Fix("Use time."+f[side].fn, code.Replace(cur.Node(), text)),
	})
}

// evaluating knows that the methods of time.Time compute, and that a field costs no time.
func evaluating(info *types.Info) *code.Eval {
	return &code.Eval{
		Info:   info,
		NotNil: func(ast.Expr) bool { return true }, // it panics before and after
		Call: func(call *ast.CallExpr) code.Loss {
			if fn := code.Callee(info, call); fn != nil && code.ReceiverName(fn) == "Time" && fn.Pkg().Path() == "time" {
				return code.Loss{}
			}
			return code.Loss{Grade: code.AnyLoss}
		},
	}
}
