package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Nothing of the user's runs for the lines that changed: neither a program that
// converts texts nor one that compares them.
func TestSinceRunsNothing(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	ran := filepath.Join(t.TempDir(), "ran")
	program := "sh -c 'echo >" + ran + "; cat \"$1\"' -"
	for _, key := range []string{"diff.x.textconv", "diff.x.command", "diff.external", "core.fsmonitor"} {
		w.git(w.root, "config", key, program)
	}
	w.git(w.root, "config", "diff.interHunkContext", "9")
	w.write(".gitattributes", "*.go diff=x\n")
	w.write("since.go", "package m\n\n// one\n\n// two\n")
	w.git(w.root, "-c", "core.fsmonitor=false", "add", ".")
	w.git(w.root, "-c", "core.fsmonitor=false", "-c", "user.name=u", "-c", "user.email=u@localhost", "commit", "-qm", "since")
	_ = os.Remove(ran)
	w.write("since.go", "package m\n\n// 1\n\n// 2\n")
	diff, _, err := Since(t.Context(), w.root, "HEAD", "*.go")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program ran")
	}
	if strings.Count(string(diff), "\n@@ ") != 2 {
		t.Errorf("the diff is\n%s", diff)
	}
}
