package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// spoiled is a tree with a snapshot whose files a test has changed in all ways.
var spoiled = map[string]string{
	"go.mod": "module m\n\ngo 1.24\n", "m.go": "package m\n", "same.go": "package m // same\n", "sub/s.go": "package sub\n",
	"gone/g.go": "package gone\n", "testdata/in": "in\n", "kept.go": "package m // to be edited\n",
}

func spoil(t *testing.T, s *Snapshot, outside string) {
	t.Helper()
	for name, text := range map[string]string{
		"m.go": "package broken\n", "same.go": spoiled["same.go"], "testdata/in": "out!\n", "new.go": "package other\n",
		"testdata/new": "new\n", "testdata/t.go": "package t\n", "cache/data": "x\n", "kept.go": "",
		"vendor/modules.txt": "# other\n", "vendor/other/assets/data": "x\n", "default.pgo": "x\n",
	} {
		put(t, s.Path(name), text)
	}
	for _, err := range []error{
		os.Remove(s.Path("go.mod")), os.RemoveAll(s.Path("gone")), os.RemoveAll(s.Path("sub")), os.Symlink(outside, s.Path("sub")),
		os.Symlink(outside, s.Path("pkglink")), os.Symlink(outside, s.Path("testdata/link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func put(t *testing.T, at, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func have(t *testing.T, at string) string {
	t.Helper()
	data, err := os.ReadFile(at)
	if err != nil {
		return "none"
	}
	return string(data)
}

// What a test changed is put back, from the working tree and from a commit,
// with the edits that pawl made; what it wrote besides stays.
func TestRestore(t *testing.T) {
	t.Parallel()
	for _, commit := range []string{"", "HEAD"} {
		t.Run("of "+commit, func(t *testing.T) {
			s, outside := spoiledSnapshot(t, commit)
			if _, err := s.Apply([]model.Edit{{File: "kept.go", New: "// edited\n"}}); err != nil {
				t.Fatal(err)
			}
			if w, err := s.Restore(t.Context()); err != nil || w != nil {
				t.Fatalf("of an untouched copy: %v, %v", w, err)
			}
			spoil(t, s, outside)
			w, err := s.Restore(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range spoiled {
				if name == "kept.go" {
					text = "// edited\n" + text
				}
				equal(t, name, have(t, s.Path(name)), text)
			}
			for _, name := range []string{"new.go", "vendor/modules.txt", "default.pgo", "testdata/link", "pkglink"} {
				equal(t, name, have(t, s.Path(name)), "none")
				if _, err := os.Lstat(s.Path(name)); err == nil {
					t.Errorf("%s is still there", name)
				}
			}
			for _, name := range []string{"testdata/new", "testdata/t.go", "cache/data"} {
				if have(t, s.Path(name)) == "none" {
					t.Errorf("%s was removed", name)
				}
			}
			if entries, _ := os.ReadDir(outside); len(entries) > 0 {
				t.Errorf("something was written through a link: %v", entries)
			}
			if len(w) != 1 || !strings.Contains(w[0].Seen, "go.mod") || !strings.Contains(w[0].Seen, "gone/g.go") {
				t.Errorf("warnings %v", w)
			}
			put(t, s.Path("m.go"), "package broken\n")
			if w, err := s.Restore(t.Context()); err != nil || w != nil || have(t, s.Path("m.go")) != spoiled["m.go"] {
				t.Errorf("a second time: %v, %v", w, err)
			}
		})
	}
}

func spoiledSnapshot(t *testing.T, commit string) (s *Snapshot, outside string) {
	t.Helper()
	w := newWorld(t)
	for name, text := range spoiled {
		put(t, filepath.Join(w.root, name), text)
	}
	if commit != "" {
		w.needGit()
		w.git(w.root, "init", "-q", "-b", "main")
		w.git(w.root, "add", ".")
		w.git(w.root, "commit", "-qm", "first")
	}
	p, err := Locate(t.Context(), w.root)
	if err != nil {
		t.Fatal(err)
	}
	if commit == "" {
		s, err = Take(t.Context(), p, t.TempDir(), Options{})
	} else {
		s, err = TakeRef(t.Context(), p, t.TempDir(), commit, Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, t.TempDir()
}

// An edit of the same size whose time is set back is seen by its inode, and a
// file that was only touched is nobody's change. What a test puts above the copy
// goes.
func TestRestoreDisguised(t *testing.T) {
	t.Parallel()
	for _, commit := range []string{"", "HEAD"} {
		t.Run("of "+commit, func(t *testing.T) {
			s, _ := spoiledSnapshot(t, commit)
			info, err := os.Lstat(s.Path("m.go"))
			if err != nil {
				t.Fatal(err)
			}
			if _, known := changeTime(info); !known {
				t.Skip("this system does not tell when an inode changed")
			}
			put(t, s.Path("m.go"), strings.Repeat("x", int(info.Size())))
			if err := os.Chtimes(s.Path("m.go"), time.Time{}, info.ModTime()); err != nil {
				t.Fatal(err)
			}
			same, err := os.Lstat(filepath.Join(s.Dir, "same.go"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(s.Path("same.go"), time.Time{}, same.ModTime()); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(s.workDir, ".git", "HEAD"), "x")
			put(t, filepath.Join(s.workDir, "go.work"), "x")
			w, err := s.Restore(t.Context())
			if err != nil || len(w) != 1 || !strings.Contains(w[0].Seen, ": m.go;") {
				t.Errorf("%v, %v", w, err)
			}
			equal(t, "m.go", have(t, s.Path("m.go")), spoiled["m.go"])
			for _, name := range []string{".git", "go.work"} {
				if _, err := os.Lstat(filepath.Join(s.workDir, name)); err == nil {
					t.Errorf("%s is still above the copy", name)
				}
			}
			if changed, added, err := s.drift(nil); err != nil || len(changed)+len(added) > 0 {
				t.Errorf("after it, %v and %v differ, %v", changed, added, err)
			}
		})
	}
}

// What the user has changed meanwhile is not taken for what was copied, and
// what the go command itself edits is nobody's fault.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	s, _ := spoiledSnapshot(t, "")
	put(t, s.Path("go.mod"), "module m\n\ngo 1.25\n")
	put(t, s.Path("go.work.sum"), "\n")
	if w, err := s.Restore(t.Context(), "go.mod"); err != nil || w != nil || !strings.Contains(have(t, s.Path("go.mod")), "1.25") {
		t.Errorf("a loose go.mod: %v, %v", w, err)
	}
	put(t, s.Path("m.go"), "package broken\n")
	put(t, filepath.Join(s.Place.Root, "m.go"), "package m // the user's next edit\n")
	_, err := s.Restore(t.Context())
	if err == nil || !strings.Contains(err.Error(), "a test or benchmark changed m.go") || !strings.Contains(err.Error(), "start again") {
		t.Errorf("error %v", err)
	}
}
