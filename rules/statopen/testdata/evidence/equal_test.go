package equal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// tree makes files that are there, missing, directories, unreadable, behind a
// file, behind a directory that may not be searched, and links.
func tree(t *testing.T) (dir string, names []string) {
	t.Helper()
	dir = t.TempDir()
	for _, directory := range []string{"top/dir", "base/dir", "top/shut"} {
		if err := os.MkdirAll(filepath.Join(dir, directory), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"top/both", "base/both", "base/lower", "top/upper", "top/secret", "base/secret", "top/shut/in", "base/file"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(file), 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	_ = os.Symlink("nowhere", filepath.Join(dir, "top", "dangling"))
	_ = os.Symlink("loop", filepath.Join(dir, "top", "loop"))
	_ = os.Chmod(filepath.Join(dir, "top", "secret"), 0)
	_ = os.Chmod(filepath.Join(dir, "top", "shut"), 0)
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "top", "shut"), 0o700) })
	return dir, []string{"both", "lower", "upper", "secret", "shut/in", "shut", "dir", "both/x", "upper/x", "dangling", "loop", "none", "a/b", strings.Repeat("n", 300)}
}

func TestLoad(t *testing.T) {
	dir, names := tree(t)
	for _, name := range names {
		path := filepath.Join(dir, "top", name)
		want, err1 := before.Load(path)
		got, err2 := after.Load(path)
		if string(want) != string(got) || (want == nil) != (got == nil) || text(err1) != text(err2) {
			t.Errorf("%s: %q %v, then %q %v", name, want, err1, got, err2)
		}
	}
}

func TestOpen(t *testing.T) {
	dir, names := tree(t)
	top, base := filepath.Join(dir, "top"), filepath.Join(dir, "base")
	for _, name := range names {
		f, err1 := before.Overlay{Top: top, Base: base}.Open(name)
		g, err2 := after.Overlay{Top: top, Base: base}.Open(name)
		if text(err1) != text(err2) || content(f) != content(g) {
			t.Errorf("%s: %q %v, then %q %v", name, content(f), err1, content(g), err2)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func content(f *os.File) string {
	if f == nil {
		return "nil"
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return f.Name() + string(data) + text(err)
}
