package propose

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/source/edit"
	"github.com/pawl-dev/pawl/rules/rule"
)

// The evidence of each transformation is what it makes of its own before.go,
// and both behave the same.
func TestProofs(t *testing.T) {
	for _, r := range sample.Part(Catalogue(), 10) {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			if r.Evidence != nil && r.Evidence.Exempt == "" {
				checkProof(t, r)
			}
		})
	}
}

func checkProof(t *testing.T, r rule.Rule) {
	dir := t.TempDir()
	if err := rule.Layout(r.Evidence.Files, dir); err != nil {
		t.Fatal(err)
	}
	bench, err := fs.ReadFile(r.Evidence.Files, "testdata/evidence/bench_test.go")
	if err != nil || !bytes.Contains(bench, []byte("func "+r.Evidence.Bench+"(b *testing.B)")) {
		t.Errorf("bench_test.go has no %s (%v)", r.Evidence.Bench, err)
	}
	got := changed(t, dir, r.Name)
	if *update {
		home, _ := filepath.Glob("*/proofs/" + r.Name)
		if err := os.WriteFile(filepath.Join(home[0], "testdata/evidence/after.go"), got, 0o666); err != nil {
			t.Fatal(err)
		}
		provetest.Write(t, dir, "after/after.go", got)
	}
	want, err := os.ReadFile(filepath.Join(dir, "after/after.go"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("after.go: -want +got:\n%s", d)
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "-vet=off", "./equal"}} {
		if out, err := provetest.Command(dir, "go", args...).CombinedOutput(); err != nil {
			t.Errorf("go %s in the evidence: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// changed returns before.go with the changes of one kind made at its targets.
func changed(t *testing.T, dir, kind string) []byte {
	src, err := os.ReadFile(filepath.Join(dir, "before/before.go"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(t.Context(), Config{Dir: dir, Root: dir, Env: provetest.Environ(), Patterns: []string{"./before"}})
	if err != nil {
		t.Fatal(err)
	}
	marked := provetest.Targets(&txtar.Archive{Files: []txtar.File{{Name: "before/before.go", Data: src}}})
	changes, refusals := p.Changes(marked["before"])
	for _, c := range changes {
		if c.Kind != kind {
			continue
		}
		if src, err = edit.Apply(src, c.Edits); err != nil {
			t.Fatal(err)
		}
		return src
	}
	t.Fatalf("no change of this kind; refusals: %v", refusals)
	return nil
}

// Every transformation has evidence, and every directory of evidence is one of a transformation.
func TestNoProofIsLeftOver(t *testing.T) {
	known := map[string]bool{}
	for _, r := range Catalogue() {
		known[r.Name] = true
		if r.Evidence == nil {
			t.Errorf("%s has no evidence", r.Name)
		}
	}
	dirs, err := filepath.Glob("*/proofs/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%d proofs: %v", len(dirs), err)
	}
	for _, d := range dirs {
		if !known[filepath.Base(d)] {
			t.Errorf("%s belongs to no transformation", d)
		}
	}
}
