// Package fieldbyname finds fields and methods that reflect looks up by name.
package fieldbyname

import (
	"fmt"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "fieldbyname",
	Title: "field or method that reflect looks up by its name on each call",
	IDs:   []string{"C21"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "FieldByName compares the name with those of all fields, embedded ones too, and MethodByName keeps the linker from dropping methods that nobody " +
		"calls. A switch over the names of a known type, or an index found once for each type, does neither.",
	WhenNot: "The function runs only at the start, as one that reads a configuration does.",
	Gap: "Whether the set of types is known is not looked at: where it is open, keep the index in a sync.Map by reflect.Type and call FieldByIndex. " +
		"pawl optimize does that where a benchmark runs the call, by the transformation reflect-cache.",
	Signature: "reflect.Value.FieldByName and reflect.(*structType).FieldByName in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkField", Metric: "cpu",
		Claimed: "a switch over the names instead of a lookup by reflection on each call",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for _, typ := range []string{"Value", "Type"} {
		for _, name := range []string{"FieldByName", "FieldByNameFunc", "MethodByName"} {
			for cur, call := range p.Index.Method("reflect", typ, name) {
				if _, fn := code.Decl(p.TypesInfo, cur); fn == nil || calls.OnlyAtStart(fn) {
					continue
				}
				p.Report(rule.Finding{
					Pos: call.Pos(), End: call.End(),
					Message: fmt.Sprintf("%s searches by name on each call: a switch, or an index kept for each type, does not", name),
				})
			}
		}
	}
}
