package propose

import (
	"github.com/pawl-dev/pawl/rules/rule"
)

// Catalogue returns the transformations as entries that can be shown and
// proven as rules are: by name, each once, in the order in which they are
// tried.
func Catalogue() []rule.Rule {
	var all []rule.Rule
	seen := map[string]bool{}
	for _, t := range All() {
		if seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		all = append(all, rule.Rule{Name: t.Name, Title: t.Doc, IDs: answersTo(t.Name), Tier: rule.Profiled, Fix: rule.B, Evidence: t.Evidence})
	}
	return all
}

// answersTo returns the ids of the catalogue that a transformation answers to;
// none where it goes beyond the catalogue.
func answersTo(name string) []string {
	return map[string][]string{
		"scratch-to-field": {"C05"}, "reuse-buffer": {"C03"}, "scratch-for-result": {"C03"}, "constant-make": {"C03"},
		"dead-format": {"C07"}, "box-on-cold-path": {"C07", "C09"}, "lazy-error": {"C07", "C08"}, "capacity-hint": {"C01", "C02"}, "backing-array": {"C29"},
		"pool": {"C04"}, "append-format": {"C06"}, "reflect-cache": {"C21"}, "regexp-to-code": {"C44"}, "split-pieces": {"C75"},
	}[name]
}
