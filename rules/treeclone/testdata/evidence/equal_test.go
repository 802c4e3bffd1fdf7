package equal

import (
	"os"
	"path/filepath"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestRun(t *testing.T) {
	workspace := t.TempDir()
	if err := os.WriteFile(filepath.Join(workspace, "state"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	want, err := before.Run(workspace, t.TempDir(), []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := after.Run(workspace, t.TempDir(), []string{"x", "y"}); err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
