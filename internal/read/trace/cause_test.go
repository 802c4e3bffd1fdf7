package trace

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/rules/catalogue"
)

// The rules that stand beside a cause are in the catalogue.
func TestRules(t *testing.T) {
	var names []string
	for _, c := range causes {
		names = append(names, c.rules...)
	}
	if len(names) == 0 {
		t.Fatal("no cause has rules")
	}
	for _, name := range names {
		if !slices.ContainsFunc(catalogue.All(), func(e catalogue.Entry) bool { return e.Rule.Name == name }) {
			t.Errorf("no rule is called %s", name)
		}
	}
}
