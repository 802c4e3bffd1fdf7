// Package poolvalue finds values in a sync.Pool that Put allocates memory for.
package poolvalue

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "poolvalue",
	Title: "value that Put of a sync.Pool allocates memory for",
	IDs:   []string{"C17"}, Seeds: []string{"004"},
	Tier: rule.Always, Fix: rule.B,
	Why: "Put takes an interface. A slice, a string or a struct does not fit into it, so that each Put allocates a copy on the heap: the allocation " +
		"that the pool should save. A pointer to the value fits.",
	WhenNot: "The value is a pointer, a map, a channel, a function, or of at most one byte: it fits. Objects that are pooled to keep something rarer " +
		"than memory, such as a connection, may be worth one small allocation.",
	Gap: "The fix keeps a pointer beside the value between Get and Put. It needs every Get and Put of the pool: one Get and at most one Put after it in each function. " +
		"The pool is an unexported variable of the package, and has no New or one that is one return. No test and no file for other builds uses it.",
	Signature: "runtime.convTslice or runtime.convT below sync.(*Pool).Put in alloc_objects profiles, one object of 24 bytes a call for a slice",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkHex", Metric: "allocs",
		Claimed: "one allocation a Put, the header of the slice",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	fixed, vars := map[*types.Var]bool{}, code.NewPackageVars(p.Pass)
	for _, call := range p.Index.Method("sync", "Pool", "Put") {
		arg := p.TypesInfo.Types[call.Args[0]]
		if arg.Value != nil || arg.IsNil() || !code.Boxes(p.TypesSizes, arg.Type) {
			continue
		}
		what := types.TypeString(arg.Type, types.RelativeTo(p.Pkg))
		f := rule.Finding{
			Pos: call.Pos(), End: call.End(),
			Message: fmt.Sprintf("Put allocates a copy of the %s each time: let the pool hold a *%s", what, what),
		}
		// The fix concerns all places of a pool: it is attached to the first.
		if v := code.Var(p.TypesInfo, poolOf(call)); v != nil && !fixed[v] {
			fixed[v] = true
			if edits, ok := (&pool{p: p, v: v, vars: vars, elem: arg.Type}).edits(); ok {
				f.Fixes = []analysis.SuggestedFix{{Message: "Let the pool hold pointers", TextEdits: edits}}
			}
		}
		p.Report(f)
	}
}

// poolOf returns x of x.Get() or x.Put(v).
func poolOf(call *ast.CallExpr) ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.X
	}
	return nil
}
