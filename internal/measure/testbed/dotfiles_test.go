package testbed

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Files with a dot are found however deep they lie, and a directory with one as a
// whole.
func TestDotFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".module")
	var want []string
	for name, found := range map[string]string{"go.mod": "", ".env": ".env", "a/b/.env": "a/b/.env", "a/.git/config": "a/.git"} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if found != "" {
			want = append(want, filepath.Join(dir, found))
		}
	}
	got := dotFiles(dir)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
