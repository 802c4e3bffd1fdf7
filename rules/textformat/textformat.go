// Package textformat finds numbers and times that are parsed from text in a
// loop.
package textformat

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "textformat",
	Title: "numbers and times parsed from text in a loop",
	IDs:   []string{"C60"}, Seeds: []string{"003"},
	Tier: rule.Special, Fix: rule.N,
	Why: "A number in text is read digit by digit, and a time by its layout. Their binary forms are loaded at once: ten to sixty times as fast, and " +
		"smaller.",
	WhenNot: "Somebody else writes the text, people read it, or few values are parsed.",
	Gap: "Who writes the text is not looked at: the format has to be one's own. Databases have binary forms of their protocols, which drivers can be " +
		"told to use.",
	Signature: "strconv.ParseInt and time.Parse with a large part of CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkSum", Metric: "cpu",
		Claimed: "a number of 32 bits is read in 3.40 ns from its binary form and in 62.8 ns from text", Ratio: 18.5,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// parsers are the functions that read values with a binary form.
var parsers = [][2]string{
	{"strconv", "ParseInt"}, {"strconv", "ParseUint"}, {"strconv", "ParseFloat"}, {"strconv", "Atoi"},
	{"time", "Parse"}, {"time", "ParseInLocation"},
}

func run(p *rule.Pass) {
	for _, f := range parsers {
		for cur, call := range p.Index.Calls(f[0], f[1]) {
			if !repeated(p, cur) {
				continue
			}
			p.Report(rule.Finding{
				Pos: call.Pos(), End: call.End(),
				Message: fmt.Sprintf("%s.%s reads text for each value: where the format is one's own, a binary form is read much faster", f[0], f[1]),
			})
		}
	}
}

// repeated reports whether a call stands in a loop, or in a function of the package that
// gets its text and is called in one.
func repeated(p *rule.Pass, cur inspector.Cursor) bool {
	if code.Looped(p.Index, p.TypesInfo, cur) {
		return true
	}
	fn, _ := code.Func(cur)
	decl, ok := fn.Node().(*ast.FuncDecl)
	if !ok || decl.Name.IsExported() || !code.MentionsOf(p.TypesInfo, cur.Node(), decl.Type) {
		return false
	}
	for range code.Repeated(p.Index, p.TypesInfo, cur) {
		return true
	}
	return false
}
