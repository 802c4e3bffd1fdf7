package main

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/trace"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// The rules that stand beside a cause are in the catalogue.
func TestTraceRules(t *testing.T) {
	names := trace.RuleNames()
	if len(names) == 0 {
		t.Fatal("no cause has rules")
	}
	for _, name := range names {
		if !slices.ContainsFunc(catalogue.All(), func(e catalogue.Entry) bool { return e.Rule.Name == name }) {
			t.Errorf("no rule is called %s", name)
		}
	}
}
