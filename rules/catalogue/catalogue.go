// Package catalogue lists pawl's rules: those with an analyzer, and the
// entries of the catalogue that have none, with the reason.
package catalogue

import (
	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/rules/gcrequest"
	"github.com/pawl-dev/pawl/rules/rule"
	"github.com/pawl-dev/pawl/rules/splitcut"
)

// An Entry is a rule with its analyzer, which is nil where Rule.Missing says
// why.
type Entry struct {
	Rule     rule.Rule
	Analyzer *analysis.Analyzer
}

// All returns the catalogue, sorted by the ids that the entries answer to.
func All() []Entry {
	return []Entry{
		{gcrequest.Rule, gcrequest.Analyzer},
		{splitcut.Rule, splitcut.Analyzer},
	}
}
