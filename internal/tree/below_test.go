package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// victims is a directory of the user's with what a copy may have too.
func victims(t *testing.T) (dir string, unharmed func()) {
	t.Helper()
	dir = t.TempDir()
	names := []string{"go.mod", "a.go", "d/x.go", "keep/notes"}
	for _, name := range names {
		writeTest(t, filepath.Join(dir, filepath.FromSlash(name)), "mine")
	}
	return dir, func() {
		t.Helper()
		for _, name := range names {
			if data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(data) != "mine" {
				t.Errorf("%s of the user's: %q, %v", name, data, err)
			}
		}
	}
}

func relink(t *testing.T, at, to string) {
	t.Helper()
	if err := os.RemoveAll(at); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, at); err != nil {
		t.Skip(err)
	}
}

// A work directory whose parts are links is refused, and nothing behind them is
// touched.
func TestTakeRefusesLinks(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"", "fs"} {
		module, work := t.TempDir(), filepath.Join(t.TempDir(), "work")
		writeTest(t, filepath.Join(module, "go.mod"), "module m\n")
		p, err := Locate(t.Context(), module)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Take(t.Context(), p, work, Options{}); err != nil {
			t.Fatal(err)
		}
		dir, unharmed := victims(t)
		relink(t, filepath.Join(work, part), dir)
		if part == "" {
			if _, err := openWork(work); err == nil {
				t.Error("the work directory is a link, and was opened")
			}
			continue
		}
		if _, err := Take(t.Context(), p, work, Options{}); err == nil || !strings.Contains(err.Error(), "a link") {
			t.Errorf("%q is a link: %v", part, err)
		}
		if _, err := CopyDir(p, work); err == nil {
			t.Errorf("%q is a link, and was taken", part)
		}
		unharmed()
	}
}

// What tests have put in the place of directories leads nowhere.
func TestLinksInTheCopy(t *testing.T) {
	t.Parallel()
	module, work := t.TempDir(), filepath.Join(t.TempDir(), "work")
	for name, text := range map[string]string{"go.mod": "module m\n", "a.go": "package m\n", "d/x.go": "package d\n"} {
		writeTest(t, filepath.Join(module, filepath.FromSlash(name)), text)
	}
	p, err := Locate(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	for name, act := range map[string]func(*Snapshot) error{
		"restore": func(s *Snapshot) error { _, err := s.Restore(t.Context()); return err },
		"take":    func(*Snapshot) error { _, err := Take(t.Context(), p, work, Options{}); return err },
		"copy": func(s *Snapshot) error {
			if _, err := CopyDir(p, work); err != nil {
				return err
			}
			_, err := Take(t.Context(), p, work, Options{})
			return err
		},
	} {
		for _, up := range []int{0, 1, 2} { // of the copy's d, the copy, and what it is in
			s, err := Take(t.Context(), p, work, Options{})
			if err != nil {
				t.Fatal(err)
			}
			dir, unharmed := victims(t)
			at := s.Path("d")
			for range up {
				at = filepath.Dir(at)
			}
			relink(t, at, dir)
			if err := act(s); err != nil && up == 0 {
				t.Errorf("%s, %d: %v", name, up, err)
			}
			unharmed()
			if data, err := os.ReadFile(filepath.Join(module, "d", "x.go")); err != nil || string(data) != "package d\n" {
				t.Errorf("%s, %d: the module: %q, %v", name, up, data, err)
			}
			if name == "restore" {
				if _, err := s.ReadFile("d/x.go"); err != nil && up == 0 {
					t.Error(err)
				}
			}
		}
	}
}
