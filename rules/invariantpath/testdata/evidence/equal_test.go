package equal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestAppend(t *testing.T) {
	records := [][]byte{[]byte("a"), []byte("bc"), nil}
	for _, rel := range []string{"f", "a/b/c", "a/../b", "./x", "file/in", "directory", "", strings.Repeat("n", 300) + "/f"} {
		for n := range len(records) + 1 {
			want := outcome(t, before.Append, rel, records[:n])
			if got := outcome(t, after.Append, rel, records[:n]); got != want {
				t.Errorf("%q, %d records: %q, then %q", rel, n, want, got)
			}
		}
	}
}

// outcome returns the error and all that is in the directory afterwards.
func outcome(t *testing.T, run func(root, rel string, records [][]byte) error, rel string, records [][]byte) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "directory"), 0o700); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := run(dir, rel, records); err != nil {
		b.WriteString(strings.ReplaceAll(err.Error(), dir, ""))
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		b.WriteString("\n" + strings.TrimPrefix(path, dir))
		if err == nil && !d.IsDir() {
			data, _ := os.ReadFile(path)
			b.WriteString("=" + string(data))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
