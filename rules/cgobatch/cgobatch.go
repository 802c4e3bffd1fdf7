// Package cgobatch finds C functions that are called for each item.
package cgobatch

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "cgobatch",
	Title: "a C function is called for each item",
	IDs:   []string{"C45"}, Seeds: []string{"000", "001"},
	Tier: rule.Profiled, Fix: rule.N, Cgo: true,
	Why: "A call costs some 40 ns more than one in Go: it switches stacks, and tells the scheduler. One call for many items, with pointers to slices, " +
		"shares that.",
	WhenNot: "The function works for longer than that. The items cannot be laid out flat. There is a port to Go.",
	Gap: "The directives #cgo noescape and #cgo nocallback take off a part without any change of the code: try them first. What is passed in one call " +
		"blocks a thread for as long, and Go does not check what C does with the lengths.",
	Signature: "runtime.cgocall in CPU profiles",
	Evidence: &rule.Evidence{
		Exempt: "the proof would need a C compiler wherever it is run",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for _, cur := range wrappers(p) {
		call := cur.Node().(*ast.CallExpr)
		name := strings.TrimPrefix(strings.TrimPrefix(written(call), "_Cfunc_"), "_C2func_")
		_, decl := code.Decl(p.TypesInfo, cur)
		f := rule.Finding{Pos: call.Pos(), End: call.End(), Message: "C." + name + " is called in each iteration; one call for all items shares what a call of C costs"}
		if !code.Looped(p.Index, p.TypesInfo, cur) {
			if decl == nil {
				continue
			}
			often := calls.InLoop(decl)
			f.If = []rule.Condition{often}
			f.Message = "C." + name + " is called for one item; one call for all items shares what a call of C costs" + callers.Known(decl, often)
		}
		p.Report(f)
	}
}

// wrappers returns the calls of what cgo writes for C functions.
func wrappers(p *rule.Pass) (all []inspector.Cursor) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.CallExpr)(nil)) {
		name := written(cur.Node().(*ast.CallExpr))
		if !strings.HasPrefix(name, "_Cfunc_") && !strings.HasPrefix(name, "_C2func_") {
			continue
		}
		if fd, _ := code.Decl(p.TypesInfo, cur); fd == nil || !strings.HasPrefix(fd.Name.Name, "_C") {
			all = append(all, cur)
		}
	}
	return all
}

// written returns the name of the function that a call names.
func written(call *ast.CallExpr) string {
	id, _ := ast.Unparen(call.Fun).(*ast.Ident)
	if id == nil {
		return ""
	}
	return id.Name
}
