// Package ruletest runs a rule's tests: its findings on testdata, its fixes
// against golden files, and its evidence.
package ruletest

import (
	"bytes"
	"flag"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/pawl-dev/pawl/rules/rule"
)

var update = flag.Bool("update", false, "write the golden files and after.go anew; read the difference before you commit it")

// everything makes Settings show all tiers and attach all fixes, until the
// test ends.
func everything(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{"tier": "all", "fixes": "AB"} {
		old := rule.Settings.Flags.Lookup(name).Value.String()
		if err := rule.Settings.Flags.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = rule.Settings.Flags.Set(name, old) })
	}
}

// Run checks the rule's documentation and its findings on the packages of
// testdata/src, where // want comments say what is expected, and its fixes
// against the files' .golden neighbours.
func Run(t *testing.T, r rule.Rule, a *analysis.Analyzer, patterns ...string) {
	t.Helper()
	Doc(t, r, a)
	everything(t)
	dir := analysistest.TestData()
	if r.Fix == rule.N {
		analysistest.Run(t, dir, a, patterns...)
		return
	}
	if *update {
		for _, pattern := range patterns {
			for name, src := range findings(t, a, filepath.Join(dir, "src", pattern)).fixed {
				writeFixed(t, name+".golden", src)
			}
		}
	}
	analysistest.RunWithSuggestedFixes(t, dir, a, patterns...)
}

// Doc checks that the rule says of itself what it must.
func Doc(t *testing.T, r rule.Rule, a *analysis.Analyzer) {
	t.Helper()
	wd, _ := os.Getwd()
	if want := filepath.Base(wd); r.Name != want || a.Name != want {
		t.Errorf("rule %q, analyzer %q in package %q: they have one name", r.Name, a.Name, want)
	}
	for _, f := range []struct{ name, text string }{
		{"Title", r.Title}, {"Why", r.Why}, {"WhenNot", r.WhenNot}, {"Gap", r.Gap}, {"Signature", r.Signature},
	} {
		if strings.TrimSpace(f.text) == "" {
			t.Errorf("%s is empty", f.name)
		}
	}
	if len(r.IDs) == 0 || len(r.Seeds) == 0 {
		t.Error("the rule answers to no id, or to no seed")
	}
	if !slices.Contains([]rule.Tier{rule.Always, rule.Profiled, rule.Special, rule.Obsolete}, r.Tier) || !slices.Contains([]rule.Class{rule.A, rule.B, rule.N}, r.Fix) {
		t.Errorf("tier %q, fix class %q", r.Tier, r.Fix)
	}
	if r.Evidence == nil {
		t.Error("no evidence, and no word why not (Evidence.Exempt)")
	}
}

// Evidence checks a rule's evidence: that the rule finds before.go and nothing
// in after.go, that after.go is what its own fix makes of before.go (where it
// has one), that both behave the same by equal_test.go, and that the benchmark
// compiles.
func Evidence(t *testing.T, r rule.Rule, a *analysis.Analyzer) {
	t.Helper()
	if r.Evidence == nil || r.Evidence.Exempt != "" {
		t.Fatal("the rule has no evidence to check")
	}
	everything(t)
	dir := Module(t, r.Evidence.Files)
	before := findings(t, a, filepath.Join(dir, "before"))
	if len(before.reports) == 0 {
		t.Error("the rule does not find its own before.go")
	}
	if *update && r.Fix != rule.N {
		for _, src := range before.fixed {
			writeFixed(t, filepath.Join("testdata", "evidence", "after.go"), src)
		}
		dir = Module(t, os.DirFS("."))
	}
	if after := findings(t, a, filepath.Join(dir, "after")); len(after.reports) > 0 {
		t.Errorf("the rule finds its own after.go: %s", after.reports)
	}
	if r.Fix != rule.N {
		checkFix(t, before, filepath.Join(dir, "after", "after.go"))
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./equal"}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s in the evidence: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	bench, err := fs.ReadFile(r.Evidence.Files, "testdata/evidence/bench_test.go")
	if err != nil || !bytes.Contains(bench, []byte("func "+r.Evidence.Bench+"(b *testing.B)")) {
		t.Errorf("bench_test.go has no %s (%v)", r.Evidence.Bench, err)
	}
}

// Module lays the evidence out as a module: before, after and equal.
func Module(t *testing.T, files fs.FS) string {
	t.Helper()
	dir := t.TempDir()
	if err := rule.Layout(files, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

type found struct {
	reports []string
	fixed   map[string][]byte
}

// findings runs the analyzer on one package and applies its fixes in memory.
func findings(t *testing.T, a *analysis.Analyzer, dir string) found {
	t.Helper()
	graph, err := analyze(a, dir)
	if err != nil {
		t.Fatal(err)
	}
	f := found{fixed: map[string][]byte{}}
	var edits []edit
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatal(act.Err)
		}
		for _, d := range act.Diagnostics {
			f.reports = append(f.reports, act.Package.Fset.Position(d.Pos).String()+": "+d.Message)
			if len(d.SuggestedFixes) > 0 {
				edits = append(edits, editsOf(act, d.SuggestedFixes[0])...)
			}
		}
	}
	f.fixed, err = apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func writeFixed(t *testing.T, name string, src []byte) {
	t.Helper()
	formatted, err := format.Source(src)
	if err != nil {
		t.Fatalf("%s: the fix does not parse: %v\n%s", name, err, src)
	}
	if err := os.WriteFile(name, formatted, 0o666); err != nil {
		t.Fatal(err)
	}
}

// checkFix compares before.go with the fixes applied to after.go.
func checkFix(t *testing.T, before found, after string) {
	t.Helper()
	want, err := os.ReadFile(after)
	if err != nil {
		t.Fatal(err)
	}
	if len(before.fixed) == 0 {
		t.Error("the rule has no fix for its own before.go")
	}
	for name, got := range before.fixed {
		src, err := format.Source(got)
		if err != nil {
			t.Fatalf("the fix of %s does not parse: %v\n%s", name, err, got)
		}
		if diff := cmp.Diff(string(want), string(src)); diff != "" {
			t.Errorf("after.go is not what the fix makes of before.go (-after.go +fixed):\n%s", diff)
		}
	}
}
