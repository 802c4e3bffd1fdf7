// Package plainprintf finds texts that go through fmt to a buffer without being
// formatted.
package plainprintf

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "plainprintf",
	Title: "text written to a buffer through fmt, and nothing to format",
	IDs:   []string{"X01"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "Fprintf takes a printer from a pool, looks for verbs byte by byte, and copies the text twice. WriteString copies it once. A text that is no " +
		"constant is also put into an interface, which may allocate.",
	WhenNot: "The writer is a file or a connection, where the call to the system costs far more, or an interface: its WriteString may do something else " +
		"than its Write. A text whose type is not string itself may have methods that fmt calls.",
	Gap: "The fix is of class B for a bufio.Writer: what is longer than the buffer may arrive below in other pieces. So is it where the text comes from a call that may change which writer is meant. Texts with verbs are the matter of " +
		"the rule sprintf.",
	Signature: "fmt.(*pp).doPrintf, fmt.newPrinter and sync.(*Pool).Get below the line in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkList", Metric: "cpu",
		Claimed: "WriteString copies a text once and looks for no verbs",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for _, name := range []string{"Fprintf", "Fprint"} {
		for _, call := range p.Index.Calls("fmt", name) {
			text := plain(p, name, call)
			if text == nil {
				continue
			}
			switch w := p.TypesInfo.TypeOf(call.Args[0]); {
			case code.IsNamed(w, "strings", "Builder"), code.IsNamed(w, "bytes", "Buffer"):
				report(p, name, call, text, rule.A)
			case code.IsNamed(w, "bufio", "Writer"):
				report(p, name, call, text, rule.B)
			}
		}
	}
}

// plain returns the text that a call writes as it is, or nil.
func plain(p *rule.Pass, name string, call *ast.CallExpr) ast.Expr {
	if len(call.Args) < 2 || call.Ellipsis.IsValid() {
		return nil
	}
	last := call.Args[len(call.Args)-1]
	format, known := code.String(p.TypesInfo, call.Args[1])
	switch {
	case name == "Fprintf" && len(call.Args) == 2:
		if !known || strings.Contains(format, "%") {
			return nil
		}
	case name == "Fprintf" && (len(call.Args) != 3 || !known || format != "%s"), name == "Fprint" && len(call.Args) != 2:
		return nil
	}
	if t := types.Unalias(types.Default(p.TypesInfo.TypeOf(last))); t != types.Typ[types.String] {
		return nil
	}
	return last
}

func report(p *rule.Pass, name string, call *ast.CallExpr, text ast.Expr, class rule.Class) {
	if code.Acts(p.TypesInfo, text) && changeable(p, call.Args[0]) {
		class = rule.B // a receiver is read after its arguments, where they are calls
	}
	edits := []analysis.TextEdit{
		{Pos: call.Pos(), End: text.Pos(), NewText: []byte(code.Receiver(p, call.Args[0]) + ".WriteString(")},
		{Pos: text.End(), End: call.End(), NewText: []byte(")")},
	}
	edits = append(edits, code.DropImport(p, p.File(call.Pos()), "fmt", call.Fun)...)
	p.Report(rule.Finding{
		Pos: call.Pos(), End: call.End(), Class: class,
		Message: "fmt." + name + " has nothing to format: WriteString writes the text as it is",
		Fixes:   code.Fix("Write the text by WriteString", edits...),
	})
}

// changeable reports whether a writer may be another one after other code has run.
func changeable(p *rule.Pass, w ast.Expr) bool {
	if at, ok := ast.Unparen(w).(*ast.UnaryExpr); ok && code.Local(code.Var(p.TypesInfo, at.X)) {
		return false // the address of a variable
	}
	return code.Changeable(p.Index, p.TypesInfo, w)
}
