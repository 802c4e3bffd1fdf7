// Try runs one rule, or all, over packages and prints what it finds at any
// tier, for those who write rules.
//
//	go run ./rules/internal/try [-fix] RULE|all PATTERN…
package main

import (
	"os"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

func main() {
	if len(os.Args) < 3 {
		os.Stderr.WriteString("usage: try RULE|all PATTERN...\n")
		os.Exit(2)
	}
	name := os.Args[1]
	os.Args = append(os.Args[:1], os.Args[2:]...)
	if rule.Settings.Flags.Lookup("tier").Value.String() == "" {
		_ = rule.Settings.Flags.Set("tier", "all")
	}
	var analyzers []*analysis.Analyzer
	for _, e := range catalogue.All() {
		if e.Analyzer != nil && (name == "all" || e.Rule.Name == name) {
			analyzers = append(analyzers, e.Analyzer)
		}
	}
	if len(analyzers) == 0 {
		os.Stderr.WriteString("try: no rule " + name + "\n")
		os.Exit(2)
	}
	multichecker.Main(analyzers...)
}
