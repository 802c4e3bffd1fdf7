package propose

import (
	"embed"
	"io/fs"

	"github.com/pawl-dev/pawl/rules/rule"
)

//go:embed all:proofs
var proofs embed.FS

// proof is the evidence of the transformation of this name, in
// proofs/name/testdata/evidence: before.go, whose marked line is the target,
// after.go, which is what the transformation makes of it, and the two tests
// that every Evidence has.
func proof(name, bench, metric, claimed string, ratio float64) *rule.Evidence {
	files, err := fs.Sub(proofs, "proofs/"+name)
	if err != nil {
		panic(err) // the name is not a path
	}
	return &rule.Evidence{Files: files, Bench: bench, Metric: metric, Claimed: claimed, Ratio: ratio}
}

// Catalogue returns the transformations as entries that can be shown and
// proven as rules are: by name, each once, in the order in which they are
// tried. They answer to no id of the catalogue of rules.
func Catalogue() []rule.Rule {
	var all []rule.Rule
	seen := map[string]bool{}
	for _, t := range All() {
		if seen[t.Name()] {
			continue
		}
		seen[t.Name()] = true
		all = append(all, rule.Rule{Name: t.Name(), Title: t.Doc(), Tier: rule.Profiled, Fix: rule.B, Evidence: t.Evidence()})
	}
	return all
}
