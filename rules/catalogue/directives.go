package catalogue

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/rules/rule"
)

// Directives reports //lint:ignore and //nolint:pawl directives that give no
// reason, name no rule, or silence nothing.
var Directives = newDirectives()

func newDirectives() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name: "pawlignore",
		Doc:  "directives that silence nothing\n\nReports //lint:ignore pawl/RULE and //nolint:pawl directives without a reason, of an unknown rule, or with nothing left to silence.",
	}
	for _, e := range All() {
		if e.Analyzer != nil {
			a.Requires = append(a.Requires, e.Analyzer)
		}
	}
	rules := a.Requires
	a.Requires = append(slices.Clone(rules), rule.Settings)
	a.Run = func(pass *analysis.Pass) (any, error) {
		used := map[string]bool{} // by the directive's place
		for _, need := range rules {
			for _, f := range pass.ResultOf[need].(*rule.Result).Findings {
				if f.Suppressed {
					used[pass.Fset.Position(f.Ignore).String()] = true
				}
			}
		}
		for _, ig := range rule.Followed(pass) {
			if text := Complaint(ig, used[pass.Fset.Position(ig.Pos).String()]); text != "" {
				pass.Reportf(ig.Pos, "%s", text)
			}
		}
		return nil, nil
	}
	return a
}

// Analyzers returns what a driver other than pawl's own runs: the rules, their
// settings, and what looks at directives.
func Analyzers() []*analysis.Analyzer {
	return append([]*analysis.Analyzer{Directives}, Directives.Requires...)
}

// Escapes is the entry that pawl find -escapes reports under.
const Escapes = "escapes"

// Complaint says what is wrong with a directive that silenced something, or
// nothing; "" if all is well.
func Complaint(ig rule.Ignore, used bool) string {
	if ig.Problem != "" {
		return ig.Problem
	}
	for _, name := range ig.Rules {
		if name == Escapes {
			used = true // what the compiler reports is not known here
			continue
		}
		known := func(e Entry) bool { return e.Rule.Name == name && e.Analyzer != nil }
		if !slices.ContainsFunc(All(), known) {
			return "there is no rule " + name + "; pawl rules lists them"
		}
	}
	if !used {
		return "nothing is left here for this directive to silence; remove it"
	}
	return ""
}
