// Package headerkey finds names of HTTP headers that are brought into their canonical
// form at each call.
package headerkey

import (
	"go/ast"
	"net/textproto"
	"strconv"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "headerkey",
	Title: "constant name of a header that is not in canonical form",
	IDs:   []string{"X07"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "Get, Set, Add, Values and Del of http.Header bring the name into canonical form first: they copy it, change the case of its letters, and look " +
		"it up among the common names. One that is not common is allocated anew each time. A name in canonical form is used as it is.",
	WhenNot: "The line is cold. The map is indexed directly, which is not the same: there the name has to be as it was stored.",
	Gap: "A name with blanks or other odd bytes has no other form, and is not reported. A named constant is reported without a fix, since others may " +
		"use it.",
	Signature: "net/textproto.canonicalMIMEHeaderKey in CPU and alloc_objects profiles, below the line of the call",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkTrace", Metric: "allocs",
		Claimed: "a name in canonical form is not allocated for each request",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

var headers = []struct{ pkg, name string }{{"net/http", "Header"}, {"net/textproto", "MIMEHeader"}}

func run(p *rule.Pass) {
	for _, t := range headers {
		for _, method := range []string{"Get", "Set", "Add", "Values", "Del"} {
			for _, call := range p.Index.Method(t.pkg, t.name, method) {
				if len(call.Args) > 0 {
					look(p, call.Args[0])
				}
			}
		}
	}
}

// look reports a name whose canonical form is another.
func look(p *rule.Pass, name ast.Expr) {
	have, ok := code.String(p.TypesInfo, name)
	want := textproto.CanonicalMIMEHeaderKey(have)
	if !ok || have == want {
		return
	}
	f := rule.Finding{
		Pos: name.Pos(), End: name.End(),
		Message: strconv.Quote(have) + " is brought into the form " + strconv.Quote(want) + " at each call; write it so",
	}
	if _, literal := ast.Unparen(name).(*ast.BasicLit); literal {
		f.Fixes = code.Fix("Write the name in canonical form", code.Replace(name, strconv.Quote(want)))
	}
	p.Report(f)
}
