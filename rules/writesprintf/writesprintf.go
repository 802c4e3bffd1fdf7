// Package writesprintf finds texts that fmt formats into a string only to be written.
package writesprintf

import (
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "writesprintf",
	Title: "text that fmt.Sprintf makes only to be written",
	IDs:   []string{"X10"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "Sprintf formats into a buffer of its own, copies that into a new string, and the string is copied again; []byte(…) of it is one more copy. " +
		"Fprintf hands its buffer to the writer.",
	WhenNot: "The line is cold. Only texts and numbers are put together: the rule sprintf writes that without fmt.",
	Gap: "A writer may not keep the bytes that it is given (io.Writer says so); where it is not known which one it is, the fix is of class B. So is one " +
		"where a method of a value that is formatted might use the same buffer.",
	Signature: "fmt.Sprintf in alloc_objects profiles, below a line that writes",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkTable", Metric: "allocs",
		Claimed: "a cell of a table is not allocated first",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for _, name := range []string{"print", "printf", "println"} {
		for cur, call := range p.Index.Calls("fmt", "S"+name) {
			if len(call.Args) > 0 && !p.IsTest(call.Pos()) {
				look(p, cur, call, "F"+name)
			}
		}
	}
}

func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, to string) {
	pkg, qualified := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	w, ok := code.WrittenAs(p, cur)
	if !ok || !qualified {
		return
	}
	if to == "Fprintf" && w.Method == "WriteString" {
		if _, ok := code.Concatenation(p, call); ok {
			return // the rule sprintf writes it without fmt
		}
	}
	class := rule.A
	if !w.Known || !code.Plain(p.TypesInfo, call) {
		class = rule.B
	}
	args := p.Text(call.Args[0].Pos(), call.Rparen)
	f := rule.Finding{
		Pos: call.Pos(), End: call.End(), Class: class,
		Message: "fmt." + code.Callee(p.TypesInfo, call).Name() + " allocates a text only for " + w.Method + " to copy it; fmt." + to + " writes it",
		Fixes:   code.Fix("Write by fmt."+to, code.Replace(w.Call, p.Source(pkg.X)+"."+to+"("+w.Writer+", "+args+")")),
	}
	if w.Held {
		f.Class, f.Fixes = rule.N, nil
	}
	p.Report(f)
}
