package main

import (
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

// asVetTool reports whether the go command calls, as it does for go vet
// -vettool=pawl and go fix -fixtool=pawl: with -V=full or -flags, or with the
// description of a package in a file NAME.cfg, behind flags.
func asVetTool(args []string) bool {
	if len(args) == 1 && (args[0] == "-V=full" || args[0] == "-flags") {
		return true
	}
	if len(args) == 0 || !strings.HasSuffix(args[len(args)-1], ".cfg") {
		return false
	}
	for _, a := range args[:len(args)-1] {
		if !strings.HasPrefix(a, "-") {
			return false // a verb
		}
	}
	return true
}

// vetTool runs the rules as the go command asks for them, and ends the
// process.
func vetTool() {
	analyzers := []*analysis.Analyzer{rule.Settings, catalogue.Directives}
	for _, e := range catalogue.All() {
		if e.Analyzer != nil {
			analyzers = append(analyzers, e.Analyzer)
		}
	}
	unitchecker.Main(analyzers...)
}
