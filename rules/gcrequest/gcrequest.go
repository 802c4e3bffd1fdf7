// Package gcrequest finds runtime.GC on the way of a request or in a loop.
package gcrequest

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "gcrequest",
	Title: "runtime.GC on a request path or in a loop",
	IDs:   []string{"C50"}, Seeds: []string{"004"},
	Tier: rule.Always, Fix: rule.B,
	Why: "runtime.GC runs a whole collection and blocks its caller until sweeping is done. The cost follows the live heap, not what the request " +
		"allocated. The pacer collects when that is worth it.",
	WhenNot: "The collection is once, at the end of a batch or of start-up. Its function reads memory statistics. Tests and benchmarks. Code that waits " +
		"for cleanups or weak pointers: a package that uses runtime.AddCleanup, runtime.SetFinalizer or the package weak is left alone.",
	Gap: "Without the call the heap is collected later, so that its peak is higher, and finalizers of other packages run later. The rule knows callers " +
		"on a request path within the package; pawl find knows them in the whole program.",
	Signature: "runtime.GC above runtime.gcBgMarkWorker and runtime.gcStart in CPU profiles; many short cycles with “forced” in GODEBUG=gctrace=1",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkHandle", Metric: "cpu",
		Claimed: "a collection per request costs orders of magnitude more than the request",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	if p.Index.Object("runtime", "GC") == nil || code.Finalizes(p.Index) {
		return
	}
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	measuring := measures(p)
	for cur, call := range p.Index.Calls("runtime", "GC") {
		if fd, _ := code.Decl(p.TypesInfo, cur); fd != nil && measuring[fd] {
			continue
		}
		f := rule.Finding{Pos: call.Pos(), End: call.End()}
		if _, ok := cur.Parent().Node().(*ast.ExprStmt); ok { // not defer runtime.GC()
			f.Fixes = []analysis.SuggestedFix{{Message: "Leave collecting to the runtime", TextEdits: code.Remove(p, "runtime", call)}}
		}
		_, decl := code.Decl(p.TypesInfo, cur)
		if code.Looped(p.Index, p.TypesInfo, cur) {
			f.Message = "runtime.GC in a loop blocks each iteration for a whole collection"
		} else if decl == nil || code.Conditional(cur) || callers.Later(p.TypesInfo, cur) {
			continue // on a parameter that asks for it, past a threshold, or who knows when
		} else {
			f.Message = "runtime.GC blocks its caller for a whole collection"
			calls.Often(&f, decl)
		}
		p.Report(f)
	}
}

// measures returns the functions that read memory statistics: they collect so
// that these say what is live.
func measures(p *rule.Pass) map[*ast.FuncDecl]bool {
	found := map[*ast.FuncDecl]bool{}
	for _, f := range [][2]string{{"runtime", "ReadMemStats"}, {"runtime/metrics", "Read"}, {"runtime/pprof", "WriteHeapProfile"}, {"runtime/pprof", "Lookup"}} {
		for cur := range p.Index.Calls(f[0], f[1]) {
			if fd, _ := code.Decl(p.TypesInfo, cur); fd != nil {
				found[fd] = true
			}
		}
	}
	return found
}
