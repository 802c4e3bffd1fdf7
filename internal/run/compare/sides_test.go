package compare

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

func TestClassify(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"old.test": "\x7fELF\x02\x01", "new.test": "\xcf\xfa\xed\xfe", "x.exe": "MZ\x90",
		"git.patch": "diff --git a/x b/x\n", "mail.patch": "From 1 Mon Sep 17 00:00:00 2001\nSubject: x\n\ndiff --git a/x b/x\n",
		"plain.patch": "Index: x\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n",
		"old.txt":     "goos: linux\nBenchmarkX 1 2 ns/op\n", "empty": "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "main"), 0o777); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		base, cand string
		kinds      [2]model.SideKind // none: a usage error
	}{
		{"main", "HEAD~1", [2]model.SideKind{model.SideRef, model.SideRef}}, // a directory of that name is no side
		{"HEAD", ".", [2]model.SideKind{model.SideRef, model.SideWorktree}},
		{".", "v1.2.3", [2]model.SideKind{model.SideWorktree, model.SideRef}},
		{"HEAD", "git.patch", [2]model.SideKind{model.SideRef, model.SidePatch}},
		{".", "mail.patch", [2]model.SideKind{model.SideWorktree, model.SidePatch}},
		{".", "plain.patch", [2]model.SideKind{model.SideWorktree, model.SidePatch}},
		{"old.test", "new.test", [2]model.SideKind{model.SideBinary, model.SideBinary}},
		{"old.test", "x.exe", [2]model.SideKind{model.SideBinary, model.SideBinary}},
		{"old.txt", "empty", [2]model.SideKind{model.SideSamples, model.SideSamples}},
		{"git.patch", "HEAD", [2]model.SideKind{}},
		{"git.patch", "git.patch", [2]model.SideKind{}},
		{"old.test", "old.txt", [2]model.SideKind{}},
		{"HEAD", "new.test", [2]model.SideKind{}},
		{"old.txt", "git.patch", [2]model.SideKind{}},
	}
	for _, tt := range tests {
		b, c, err := classify(Options{Verb: "compare", Dir: dir, Base: tt.base, Candidate: tt.cand})
		var use *testbed.UsageError
		switch {
		case tt.kinds == [2]model.SideKind{}:
			if !errors.As(err, &use) {
				t.Errorf("%s %s: %v, want a usage error", tt.base, tt.cand, err)
			}
		case err != nil || b.Kind != tt.kinds[0] || c.Kind != tt.kinds[1]:
			t.Errorf("%s %s: %s, %s, %v; want %v", tt.base, tt.cand, b.Kind, c.Kind, err, tt.kinds)
		}
	}
}

// The message says what each operand was taken for, in words of the manual.
func TestClassifySays(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old.txt"), []byte("BenchmarkX 1 2 ns/op\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for cand, want := range map[string]string{
		"HEAD": "old.txt is taken for a file of results and HEAD for a git ref: ",
		".":    "old.txt is taken for a file of results and . for the work tree: ",
	} {
		if _, _, err := classify(Options{Verb: "compare", Dir: dir, Base: "old.txt", Candidate: cand}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", cand, err, want)
		}
	}
}

func TestFunctionPattern(t *testing.T) {
	fs := map[string]*model.CodeDiff{"BenchmarkB": nil, "BenchmarkA": nil}
	for user, want := range map[string]string{
		"":           "^(BenchmarkA|BenchmarkB)$",
		"(A|B)":      "^(BenchmarkA|BenchmarkB)$",
		"A|B$":       "^(BenchmarkA)$|^(BenchmarkB)$",
		"A|B$/y":     "^(BenchmarkA)$|^(BenchmarkB)$/y",
		"A/x|B$/y/z": "^(BenchmarkA)$/x|^(BenchmarkB)$/y/z",
		"k./small$":  "^(BenchmarkA|BenchmarkB)$/small$",
		"(A|B/x)/y":  "^(BenchmarkA)$/y",
	} {
		if got := functionPattern(fs, user); got != want {
			t.Errorf("%q: %q, want %q", user, got, want)
		}
	}
}

func TestFunctions(t *testing.T) {
	b := &build{tests: map[string]string{
		"a_test.go": "package a\n\nfunc BenchmarkB(b *testing.B) {}\nfunc BenchmarkA(b *testing.B) {}\nfunc helper() {}\n",
		"b_test.go": "package a\n\n// func BenchmarkNot(b *testing.B) {}\n",
	}}
	if got := functions(b, ""); len(got) != 2 || got[0] != "BenchmarkA" || got[1] != "BenchmarkB" {
		t.Errorf("all: %v", got)
	}
	if got := functions(b, "A/x|B$/y"); len(got) != 2 {
		t.Errorf("A/x|B$/y: %v", got)
	}
	if got := functions(b, "B$/sub"); len(got) != 1 || got[0] != "BenchmarkB" {
		t.Errorf("B$/sub: %v", got)
	}
}
