package equal

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCommands(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"tool-a", "tool-b", "other", "tool-"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "tool-dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"tool-link": "tool-a", "tool-linkdir": "tool-dir", "tool-dangling": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, in := range []string{dir, filepath.Join(dir, "tool-dir"), filepath.Join(dir, "nowhere"), filepath.Join(dir, "tool-a")} {
		for _, prefix := range []string{"", "tool-", "x"} {
			want, err1 := before.Commands(in, prefix)
			got, err2 := after.Commands(in, prefix)
			if !slices.Equal(want, got) || (err1 == nil) != (err2 == nil) {
				t.Errorf("%s %q: %q %v, then %q %v", in, prefix, want, err1, got, err2)
			}
		}
	}
}
