// Package gcrequest finds runtime.GC on the way of a request or in a loop.
package gcrequest

import (
	"embed"
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

//go:embed testdata/evidence
var evidence embed.FS

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
		Files: evidence, Bench: "BenchmarkHandle", Metric: "cpu",
		Claimed: "a collection per request costs orders of magnitude more than the request",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) error {
	if p.Index.Imports("weak") || p.Index.Object("runtime", "GC") == nil {
		return nil
	}
	for _, name := range []string{"AddCleanup", "SetFinalizer"} {
		for range p.Index.Calls("runtime", name) {
			return nil
		}
	}
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	measuring := measures(p)
	for cur, call := range p.Index.Calls("runtime", "GC") {
		if fd, _ := code.Decl(p.TypesInfo, cur); fd != nil && measuring[fd] {
			continue
		}
		f := rule.Finding{Pos: call.Pos(), End: call.End(), Fixes: remove(p, call)}
		if _, ok := cur.Parent().Node().(*ast.ExprStmt); !ok {
			f.Fixes = nil // defer runtime.GC()
		}
		_, decl := code.Decl(p.TypesInfo, cur)
		if _, ok := code.Loop(cur); ok {
			f.Message = "runtime.GC in a loop blocks each iteration for a whole collection"
		} else if fn, ok := code.Func(cur); code.Conditional(cur) || !ok || literal(fn) {
			continue // on a parameter that asks for it, past a threshold, or who knows when
		} else {
			request, loop := calls.OnRequest(decl), calls.InLoop(decl)
			f.If = []rule.Condition{request, loop}
			f.Message = "runtime.GC blocks its caller for a whole collection"
			for _, c := range f.If {
				if c.Holds {
					f.Message += fmt.Sprintf(", and %s is %s", decl.Name(), c.Why)
					break
				}
			}
		}
		p.Report(f)
	}
	return nil
}

// literal reports whether code is in a function literal that is not called
// where it stands.
func literal(fn inspector.Cursor) bool {
	_, lit := fn.Node().(*ast.FuncLit)
	return lit && fn.ParentEdgeKind() != edge.CallExpr_Fun
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

// remove returns the fix that deletes the call, and the import if nothing else
// needs it.
func remove(p *rule.Pass, call *ast.CallExpr) []analysis.SuggestedFix {
	edits := []analysis.TextEdit{p.Delete(call)}
	if spec, unused := code.Unused(p.TypesInfo, p.File(call.Pos()), "runtime", call); unused {
		edits = append(edits, code.DeleteImport(p.Fset, p.File(call.Pos()), spec))
	}
	return []analysis.SuggestedFix{{Message: "Leave collecting to the runtime", TextEdits: edits}}
}
