package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
	"github.com/pawl-dev/pawl/internal/source"
	"github.com/pawl-dev/pawl/rules/catalogue"
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
func vetTool(args []string) {
	if cfg := args[len(args)-1]; strings.HasSuffix(cfg, ".cfg") {
		if done, err := newerUnit(cfg); done || err != nil {
			if err != nil {
				fmt.Fprintf(os.Stderr, "pawl: %v\n", err)
				os.Exit(exitFailed)
			}
			os.Exit(exitOK)
		}
	}
	unitchecker.Main(catalogue.Analyzers()...)
}

// newerUnit looks after a package in a newer language than that of the Go which
// pawl was built with: a toolchain's standard library, whose types are enough,
// or one that cannot be looked at, which is an error.
func newerUnit(cfg string) (done bool, err error) {
	u, err := source.ReadVetUnit(cfg)
	if err != nil {
		return false, err
	}
	if u.Newer() {
		return true, u.WriteTypes()
	}
	if gorelease.Reads(u.GoVersion) {
		return false, nil
	}
	toolchain, err := gocmd.Query(context.Background(), u.Dir, os.Environ(), "GOVERSION")
	if err != nil {
		return false, err
	}
	return false, gorelease.Language(toolchain, u.GoVersion)
}
