package tree

import (
	"os"
	"path/filepath"
	"testing"
)

func TestStateDir(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.unchanged()
	for range 2 {
		dir, why, err := StateDir(w.locate(), w.cache)
		if err != nil || why != "" || dir != filepath.Join(w.root, ".pawl") {
			t.Fatalf("StateDir = %s, %q, %v", dir, why, err)
		}
		equal(t, ".gitignore", readFile(t, filepath.Join(dir, ".gitignore")), "*\n")
	}
	w.write(".pawl/journal.jsonl", "{}")
	equal(t, "git status", w.git(w.root, "--no-optional-locks", "status", "--porcelain", "--untracked-files=all"), "")
}

func TestStateDirEmbed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src  string
		hit  bool
		name string
	}{
		{"//go:embed *\nvar f embed.FS\n", true, "star"},
		{"//go:embed a.txt all:*\nvar f embed.FS\n", true, "all star"},
		{"//go:embed \"all:.p*/runs\"\nvar f embed.FS\n", true, "quoted"},
		{"//go:embed `.*`\nvar f embed.FS\n", true, "dots"},
		{"//go:embed */*\nvar f embed.FS\n", true, "two levels"},
		{"//go:embed *.txt all:static\nvar f embed.FS\n", false, "others"},
		{"var s = `\n//go:embed *\n`\n", false, "in a string"},
		{"// see //go:embed *\n", false, "in a comment"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("go.mod", "module m\n")
			w.write("m.go", "package m\n\nimport \"embed\"\n\n"+tt.src)
			dir, why, err := StateDir(w.locate(), w.cache)
			if err != nil {
				t.Fatal(err)
			}
			if in := within(w.root, dir); in == tt.hit || (why != "") != tt.hit {
				t.Errorf("StateDir = %s, %q", dir, why)
			}
			if _, err := os.Stat(filepath.Join(w.root, ".pawl")); (err == nil) == tt.hit {
				t.Error(".pawl made: ", err == nil)
			}
		})
	}
}

// A repository may come with a .pawl that leads elsewhere.
func TestStateDirSymlink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("go.mod", "module m\n")
	if err := os.Symlink(w.dir, filepath.Join(w.root, ".pawl")); err != nil {
		t.Skip("no symlinks here: ", err)
	}
	dir, why, err := StateDir(w.locate(), w.cache)
	if err != nil || why == "" || within(w.root, dir) {
		t.Errorf("StateDir = %s, %q, %v", dir, why, err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, ".gitignore")); err == nil {
		t.Error("wrote through the symlink")
	}
}

func TestWorkDir(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("go.mod", "module m\n")
	p := w.locate()
	one, release1, err := WorkDir(p, w.cache)
	if err != nil {
		t.Fatal(err)
	}
	two, release2, err := WorkDir(p, w.cache)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "second", two, one+"-2")
	release1()
	again, release3, err := WorkDir(p, w.cache)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "again", again, one)
	release2()
	release3()
}
