package catalogue

import (
	"bytes"
	"errors"
	"flag"
	"go/format"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/pawl-dev/pawl/internal/lab/proofs"
	"github.com/pawl-dev/pawl/rules/rule"
)

var update = flag.Bool("update", false, "write the golden files and after.go anew; read the difference before you commit it")

// showAll makes Settings show all tiers and attach all fixes, until the
// test ends.
func showAll(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{"tier": "all", "fixes": "AB"} {
		old := rule.Settings.Flags.Lookup(name).Value.String()
		if err := rule.Settings.Flags.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = rule.Settings.Flags.Set(name, old) })
	}
}

// testFindings checks the documentation of rules, and their findings on the packages of their testdata/src, where // want comments
// say what is expected, and their fixes against the files' .golden neighbours. A directory with a dot stands for other modules,
// which all rules can import. Everything is loaded at once, since that type-checks much of the standard library. The caller has
// called showAll.
func testFindings(t *testing.T, subjects []subject) {
	t.Helper()
	root := t.TempDir()
	var chosen []subject
	var patterns []string
	for _, s := range subjects {
		t.Run(s.Rule.Name, func(t *testing.T) {
			doc(t, s.Dir, s.Rule, s.Analyzer)
			names := s.layOut(t, root)
			if over(s.Rule) {
				s.silent(t, names)
				return
			}
			chosen = append(chosen, s)
			for _, name := range names {
				patterns = append(patterns, s.Rule.Name+"/"+name)
			}
		})
	}
	if len(chosen) == 0 {
		return
	}
	each := together(chosen)
	if *update {
		for _, result := range analysistest.Run(t, root, each, patterns...) {
			for name, src := range foundBy(t, result.Action).fixed {
				writeFixed(t, name+".golden", src)
			}
		}
	}
	analysistest.RunWithSuggestedFixes(t, root, each, patterns...)
}

// layOut makes a rule's packages part of the GOPATH in root, and returns their names.
func (s subject) layOut(t *testing.T, root string) (names []string) {
	t.Helper()
	src := filepath.Join(s.Dir, "testdata", "src")
	link := filepath.Join(root, "src", s.Rule.Name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o777), os.Symlink(src, link)); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.Contains(e.Name(), ".") {
			names = append(names, e.Name())
		} else if err := os.CopyFS(filepath.Join(root, "src", e.Name()), os.DirFS(filepath.Join(src, e.Name()))); err != nil {
			t.Fatal(err)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		// From Go 1.27 on the go command refuses to build what asks for the old timers.
		return s.Rule.Name == "timeafter" && name == "asked" && version.Compare(runtime.Version(), "go1.27") >= 0
	})
}

// together returns an analyzer that is, on a package of a rule's testdata, that rule.
func together(subjects []subject) *analysis.Analyzer {
	rules := map[string]*analysis.Analyzer{}
	all := &analysis.Analyzer{Name: "rules", Doc: "each rule on its own testdata"}
	for _, s := range subjects {
		rules[s.Rule.Name] = s.Analyzer
		for _, a := range s.Analyzer.Requires {
			if !slices.Contains(all.Requires, a) {
				all.Requires = append(all.Requires, a)
			}
		}
	}
	all.Run = func(pass *analysis.Pass) (any, error) {
		name, _, _ := strings.Cut(pass.Pkg.Path(), "/")
		own := *pass
		own.Analyzer = rules[name]
		_, err := own.Analyzer.Run(&own)
		return nil, err
	}
	return all
}

// over reports whether the toolchain that runs the tests is a later release
// than the last one that the rule holds for.
func over(r rule.Rule) bool {
	return r.Until != "" && version.Compare(version.Lang(runtime.Version()), r.Until) > 0
}

// silent checks that a rule that is over finds nothing.
func (s subject) silent(t *testing.T, names []string) {
	t.Helper()
	for _, name := range names {
		graph, err := analyze(filepath.Join(s.Dir, "testdata", "src", name), []string{"."}, s.Analyzer)
		if err != nil {
			t.Fatal(err)
		}
		if found := foundBy(t, graph.Roots...).reports; len(found) > 0 {
			t.Errorf("the rule holds to %s, this is %s, and it reports %s", s.Rule.Until, runtime.Version(), found)
		}
	}
}

// doc checks that the rule says about itself what it must.
func doc(t *testing.T, dir string, r rule.Rule, a *analysis.Analyzer) {
	t.Helper()
	if want := filepath.Base(dir); r.Name != want || a.Name != want {
		t.Errorf("rule %q, analyzer %q in package %q: they have one name", r.Name, a.Name, want)
	}
	for _, f := range []struct{ name, text string }{
		{"Title", r.Title}, {"Why", r.Why}, {"WhenNot", r.WhenNot}, {"Gap", r.Gap}, {"Signature", r.Signature},
	} {
		if strings.TrimSpace(f.text) == "" {
			t.Errorf("%s is empty", f.name)
		}
	}
	if len(r.IDs) == 0 || (len(r.Seeds) == 0) != r.Own() {
		t.Error("the rule answers to no id; or to no seed, and its id does not begin with X")
	}
	if !slices.Contains([]rule.Tier{rule.Always, rule.Profiled, rule.Special, rule.Obsolete}, r.Tier) || !slices.Contains([]rule.Class{rule.A, rule.B, rule.N}, r.Fix) {
		t.Errorf("tier %q, fix class %q", r.Tier, r.Fix)
	}
	if r.Evidence == nil {
		t.Error("no evidence, and no word why not (Evidence.Exempt)")
	}
}

// A subject is a rule that is tested, with the directory of its package: one test binary tests all rules, since linking one
// for each cost as much as the tests.
type subject struct {
	Dir      string
	Rule     rule.Rule
	Analyzer *analysis.Analyzer
}

// testEvidence checks the evidence of rules, each in a subtest: that the rule finds before.go and nothing
// in after.go, that after.go is what its own fix makes of before.go (where it
// has one), and that there is the benchmark, or a word why not. All of it is loaded at once, as one module, since loading
// takes longer than the rules do. The caller has called showAll.
func testEvidence(t *testing.T, subjects []subject) {
	t.Helper()
	files := map[string]fs.FS{}
	var all []*analysis.Analyzer
	for _, s := range subjects {
		files[s.Rule.Name] = s.Rule.Evidence.Files
		all = append(all, s.Analyzer)
	}
	root := string(proofs.Of(t, files))
	graph, err := analyze(root, []string{"./..."}, all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range subjects {
		t.Run(s.Rule.Name, func(t *testing.T) { s.evidence(t, root, graph) })
	}
}

// in returns what the rule found in one package of the module of all evidence.
func (s subject) in(t *testing.T, graph *checker.Graph, side string) found {
	t.Helper()
	for _, act := range graph.Roots {
		if act.Analyzer == s.Analyzer && act.Package.PkgPath == "evidence/"+s.Rule.Name+"/"+side {
			return foundBy(t, act)
		}
	}
	t.Fatalf("the rule was not run on %s of its evidence", side)
	return found{}
}

func (s subject) evidence(t *testing.T, root string, graph *checker.Graph) {
	r, before, after := s.Rule, s.in(t, graph, "before"), s.in(t, graph, "after")
	if over(r) {
		if len(before.reports) > 0 {
			t.Errorf("the rule holds to %s, this is %s, and it reports %s", r.Until, runtime.Version(), before.reports)
		}
		return
	}
	if len(before.reports) == 0 {
		t.Error("the rule does not find its own before.go")
	}
	if *update && r.Fix != rule.N {
		for _, src := range before.fixed {
			writeFixed(t, filepath.Join(s.Dir, "testdata", "evidence", "after.go"), src)
		}
		t.Skip("after.go is written; it is checked without -update")
	}
	if len(after.reports) > 0 {
		t.Errorf("the rule finds its own after.go: %s", after.reports)
	}
	if r.Fix != rule.N && (r.Evidence.Exempt == "" || len(before.fixed) > 0) {
		checkFix(t, before, filepath.Join(root, r.Name, "after", "after.go"))
	}
	if r.Evidence.Exempt != "" {
		return
	}
	bench, err := fs.ReadFile(r.Evidence.Files, "testdata/evidence/bench_test.go")
	if err != nil || !bytes.Contains(bench, []byte("func "+r.Evidence.Bench+"(b *testing.B)")) {
		t.Errorf("bench_test.go has no %s (%v)", r.Evidence.Bench, err)
	}
}

type found struct {
	reports []string
	fixed   map[string][]byte
}

// foundBy returns what actions found, with the fixes applied in memory.
func foundBy(t *testing.T, actions ...*checker.Action) found {
	t.Helper()
	var f found
	var edits []edit
	for _, act := range actions {
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
	var err error
	if f.fixed, err = apply(edits); err != nil {
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
