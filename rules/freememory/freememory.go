// Package freememory finds debug.FreeOSMemory on the way of a request or in a
// loop, and runtime.GC right before it.
package freememory

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "freememory",
	Title: "debug.FreeOSMemory on a request path, in a loop, or behind runtime.GC",
	IDs:   []string{"C49"}, Seeds: []string{"001"},
	Tier: rule.Special, Fix: rule.B,
	Why: "FreeOSMemory runs a whole collection and gives all free memory back at once; what is allocated next faults each page in again. The runtime " +
		"gives memory back by itself within minutes. A runtime.GC before it is a second collection for nothing.",
	WhenNot: "It is called once, at the end of a batch, where resident memory has to fall soon, or when somebody asks for it. The package uses finalizers, " +
		"cleanups or weak pointers: then the second collection may be wanted.",
	Gap: "One collection instead of two leaves what sync.Pool keeps for one more cycle. debug.SetMemoryLimit holds the heap down all the time, and needs " +
		"neither call. The fix removes runtime.GC; where FreeOSMemory itself should go, the rule cannot tell.",
	Signature: "runtime/debug.FreeOSMemory above runtime.gcStart in CPU profiles; “forced” in GODEBUG=gctrace=1",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkBatch", Metric: "cpu",
		Claimed: "the collection before debug.FreeOSMemory is one that FreeOSMemory makes again",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for cur, call := range p.Index.Calls("runtime/debug", "FreeOSMemory") {
		if gc := collected(p, cur); gc != nil {
			p.Report(rule.Finding{
				Pos: gc.Pos(), End: gc.End(), Message: "runtime.GC right before debug.FreeOSMemory, which collects itself",
				Fixes: []analysis.SuggestedFix{{Message: "Collect once", TextEdits: code.Remove(p, "runtime", gc)}},
			})
		}
		f := rule.Finding{Pos: call.Pos(), End: call.End(), Message: "debug.FreeOSMemory in a loop collects, and gives back what the next iteration needs"}
		if !code.Looped(p.Index, p.TypesInfo, cur) {
			_, decl := code.Decl(p.TypesInfo, cur)
			if decl == nil || code.Conditional(cur) || callers.Later(p.TypesInfo, cur) {
				continue // when somebody asks for it, past a threshold, or who knows when
			}
			f.Message = "debug.FreeOSMemory collects, and gives back what is needed again soon"
			calls.Often(&f, decl)
		}
		p.Report(f)
	}
}

// collected returns the runtime.GC that is the statement before a call, nil
// where there is none or something else may wait for two collections.
func collected(p *rule.Pass, cur inspector.Cursor) *ast.CallExpr {
	stmt, ok := code.Stmt(cur)
	before, found := stmt.PrevSibling()
	if !ok || !found || stmt != cur.Parent() || code.Finalizes(p.Index) {
		return nil
	}
	expr, _ := before.Node().(*ast.ExprStmt)
	if expr == nil {
		return nil
	}
	call, ok := expr.X.(*ast.CallExpr)
	if !ok || !code.IsFunc(p.TypesInfo, call, "runtime", "GC") {
		return nil
	}
	return call
}
