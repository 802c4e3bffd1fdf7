// Package jsoncodec finds where encoding/json works for each item or request.
package jsoncodec

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "jsoncodec",
	Title: "encoding/json called in a loop or for each request",
	IDs:   []string{"C20"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.N,
	Why: "Where JSON takes most of the time after typed decoding, a faster codec is worth a try. Behind two functions of the program's own it is tried, " +
		"compared and taken back in one place.",
	WhenNot: "The call stands in a function that does nothing else, which is that place. JSON has a small part of the time.",
	Gap: "Which codec to take is a decision about behaviour: each differs from encoding/json somewhere, in numbers, unknown members, the order of keys or " +
		"the escaping of HTML; encoding/json/v2 of Go 1.27 does as well.",
	Signature: "encoding/json.Marshal or Unmarshal with a large part of CPU profiles",
	Evidence: &rule.Evidence{
		Exempt: "what is won depends on the codec that is taken; the rule shows where it would be put",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	look := func(name string, cur inspector.Cursor, call *ast.CallExpr) {
		decl, fn := code.Decl(p.TypesInfo, cur)
		if fn == nil || calls.OnlyAtStart(fn) || adapter(decl, cur) {
			return
		}
		f := rule.Finding{
			Pos: call.Pos(), End: call.End(),
			Message: fmt.Sprintf("%s runs for each item: behind a function of one's own, another codec can be tried in one place", name),
		}
		if !code.Looped(p.Index, p.TypesInfo, cur) {
			f.If = []rule.Condition{calls.OnRequest(fn), calls.InLoop(fn)}
		}
		p.Report(f)
	}
	for _, name := range []string{"Marshal", "Unmarshal"} {
		for cur, call := range p.Index.Calls("encoding/json", name) {
			look("json."+name, cur, call)
		}
	}
	for _, m := range [][2]string{{"Encoder", "Encode"}, {"Decoder", "Decode"}} {
		for cur, call := range p.Index.Method("encoding/json", m[0], m[1]) {
			look(m[0]+"."+m[1], cur, call)
		}
	}
}

// adapter reports whether a function does nothing but return what a call of the codec does.
func adapter(fn *ast.FuncDecl, call inspector.Cursor) bool {
	return len(fn.Body.List) == 1 && call.Parent().Node() == fn.Body.List[0] && call.ParentEdgeKind() == edge.ReturnStmt_Results
}
