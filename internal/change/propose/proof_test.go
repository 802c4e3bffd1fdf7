package propose

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/lab/proofs"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/source/edit"
	"github.com/pawl-dev/pawl/rules/rule"
)

// The evidence of each transformation is what it makes of its own before.go,
// and both behave the same.
func TestProofs(t *testing.T) {
	var drawn []rule.Rule
	files := map[string]fs.FS{}
	for _, r := range sample.Part(Catalogue(), 10) {
		if r.Evidence != nil && r.Evidence.Exempt == "" {
			drawn = append(drawn, r)
			files[r.Name] = r.Evidence.Files
		}
	}
	all := proofs.Of(t, files)
	p, err := Load(t.Context(), Config{Dir: string(all), Root: string(all), Env: provetest.Environ(), Patterns: []string{"./.../before"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range drawn {
		t.Run(r.Name, func(t *testing.T) { checkProof(t, p, string(all), r) })
	}
	if err := all.Equal(t.Context()); err != nil {
		t.Error(err)
	}
}

func checkProof(t *testing.T, p *Program, root string, r rule.Rule) {
	bench, err := fs.ReadFile(r.Evidence.Files, "testdata/evidence/bench_test.go")
	if err != nil || !bytes.Contains(bench, []byte("func "+r.Evidence.Bench+"(b *testing.B)")) {
		t.Errorf("bench_test.go has no %s (%v)", r.Evidence.Bench, err)
	}
	got := changed(t, p, root, r.Name)
	after := filepath.Join(root, r.Name, "after", "after.go")
	if *update {
		home, _ := filepath.Glob("*/proofs/" + r.Name)
		for _, file := range []string{filepath.Join(home[0], "testdata/evidence/after.go"), after} {
			if err := os.WriteFile(file, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, err := os.ReadFile(after)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("after.go: -want +got:\n%s", d)
	}
}

// changed returns the before.go of one kind with the changes of that kind made at its targets.
func changed(t *testing.T, p *Program, root, kind string) []byte {
	name := kind + "/before/before.go"
	src, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	marked := provetest.Targets(&txtar.Archive{Files: []txtar.File{{Name: name, Data: src}}})
	changes, refusals := p.Changes(marked[filepath.Dir(name)])
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
