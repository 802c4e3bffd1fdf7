package catalogue

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/rules/scratch"
)

// A module with an older go line has fixes without what is newer. A //go:build line cannot make a file that old, so that
// this needs a go.mod.
func TestOlder(t *testing.T) {
	showAll(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/older")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), []byte("module older\n\ngo 1.14\n"))
	for _, side := range []string{"before", "after"} {
		if err := os.Mkdir(filepath.Join(dir, side), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	from := filepath.Join(dir, "before", "before.go")
	if err := os.Rename(filepath.Join(dir, "before.go"), from); err != nil {
		t.Fatal(err)
	}
	graph, err := analyze(filepath.Join(dir, "before"), []string{"."}, scratch.Analyzer)
	if err != nil {
		t.Fatal(err)
	}
	fixed, want := foundBy(t, graph.Roots...), filepath.Join("testdata", "older", "after.go")
	if *update {
		writeFixed(t, want, fixed.fixed[from])
	}
	checkFix(t, fixed, want)
	after := filepath.Join(dir, "after", "after.go")
	writeFixed(t, after, fixed.fixed[from])
	_ = os.Remove(filepath.Join(dir, "after.go"))
	cmd := exec.CommandContext(t.Context(), "go", "test", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
