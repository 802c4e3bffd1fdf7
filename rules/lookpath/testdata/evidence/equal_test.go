package equal

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "there"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	names := []string{"there", "gone", "there", "gone", "away"}
	if got, want := after.Missing(names), before.Missing(names); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
