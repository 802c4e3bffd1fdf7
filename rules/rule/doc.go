// Package rule is the frame that pawl's rules are built on: their
// documentation, their input, and their reports.
//
// # A rule
//
// A rule is one package below rules/. It declares
//
//	var Rule = rule.Rule{Name: "splitcut", Title: …, Tier: rule.Always, …}
//	var Analyzer = Rule.Analyzer(run)
//
// and nothing else in public. Analyzer is an ordinary [analysis.Analyzer], so
// that the rule runs under pawl find, go vet -vettool, go fix -fixtool and
// Bazel's nogo alike; Rule is what pawl rules prints. The function run gets a
// [Pass] and calls [Pass.Report] for each place.
//
// # Tiers, heat and what is shown
//
// A rule reports every place that it is sure of, whatever its tier. Showing is
// the driver's part: without a profile only [Always] is shown; with one
// (heat), only lines that cost are. Rules never read profiles; heat reaches
// them as plain numbers, and most never look.
//
// # Fix classes
//
// A fix of class [A] keeps behaviour: every obligation was discharged by
// reading the code. A fix of class [B] is a proposal that a guard and a judge
// must pass; under go fix, which has neither, it is not attached. [N] reports
// only. The class of a rule is its best; a finding may have a lower one.
//
// # Go versions
//
// What the language allows, and what a fix may call, goes by the file's version
// ([Pass.AtLeast], [Rule].Go). What a GODEBUG setting switches goes by the go
// line of the module ([Pass.LineAtLeast], [Rule].GoLine). What the compiler,
// the runtime or the standard library does for every program goes by the
// toolchain ([Pass.LibraryAfter], [Rule].Until).
//
// # Suppression
//
//	//lint:ignore pawl/RULE reason
//	//nolint:pawl // reason
//
// above or at the end of a line silences RULE, or every rule, on it. Above a
// declaration or statement, the second is about the whole of it, as in
// golangci-lint. The reason is required;
// directives that are malformed or silence nothing are findings themselves.
package rule
