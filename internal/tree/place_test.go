package tree

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLocate(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("a.go", "package proj // edited\n")
	w.write("new file.go", "package proj\n")
	w.write("mod/go.mod", "module example.com/proj/mod\n")
	w.write("mod/c.go", "package mod\n")
	w.git(w.root, "add", "mod")
	w.unchanged()
	p := w.locate()
	equal(t, "root", p.Root, w.root)
	equal(t, "module", p.Module, w.root)
	equal(t, "rel", p.Rel(), ".")
	equal(t, "branch", p.Branch, "main")
	equal(t, "dirty files", p.DirtyFiles, map[string]bool{"a.go": true, "new file.go": true, "mod/go.mod": true, "mod/c.go": true})
	if !p.Git || !p.Dirty || len(p.Head) < 40 || !p.Writable || !p.GitWritable {
		t.Errorf("place: %+v", p)
	}

	p, err := Locate(t.Context(), filepath.Join(w.root, "mod", "c.go"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "nested module", p.Module, filepath.Join(w.root, "mod"))
	equal(t, "root of nested module", p.Root, w.root)
	equal(t, "rel of nested module", p.Rel(), "mod")
}

func TestLocateStates(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.git(w.root, "checkout", "-q", "--detach")
	if p := w.locate(); p.Head == "" || p.Branch != "" || p.Dirty {
		t.Errorf("detached: %+v", p)
	}
	u := newWorld(t)
	u.git(u.root, "init", "-q", "-b", "trunk")
	u.write("go.mod", "module m\n")
	if p := u.locate(); !p.Git || p.Head != "" || p.Branch != "trunk" || !p.Dirty {
		t.Errorf("unborn: %+v", p)
	}
}

// A repository that does not know the module is not its repository.
func TestLocateForeignRepository(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("scratch/go.mod", "module scratch\n")
	p, err := Locate(t.Context(), filepath.Join(w.root, "scratch"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Git || p.Root != p.Module {
		t.Errorf("an untracked module got its surrounding repository: %+v", p)
	}
}

func TestLocateWithoutGit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("go.mod", "module m\n")
	p := w.locate()
	if p.Git || p.Root != w.root || len(p.Warnings) != 0 {
		t.Errorf("no git: %+v", p)
	}
	w.write(filepath.Join(w.dir, "u", "go.work"), "go 1.25\n\nuse (\n\t./proj // mine\n)\n")
	equal(t, "root of a workspace", w.locate().Root, filepath.Join(w.dir, "u"))
	w.write(filepath.Join(w.dir, "u", "go.work"), "go 1.25\n\nuse ./other\n")
	equal(t, "root beside a workspace", w.locate().Root, w.root)
}

func TestLocateErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := Locate(t.Context(), w.root)
	if err == nil {
		t.Fatal("found a module where there is none")
	}
	mustContain(t, "error", err.Error(), "no go.mod in", "go mod init")
	w.write("go.work", "go 1.25\nuse ./a\nuse ./b\n")
	_, err = Locate(t.Context(), w.root)
	if err == nil {
		t.Fatal("found a module at the top of a workspace")
	}
	mustContain(t, "error", err.Error(), "none of its modules, a, b:", "-C a ")
}

func TestLocateBrokenGit(t *testing.T) {
	w := newWorld(t)
	w.needGit()
	w.write("go.mod", "module m\n")
	w.write(".git", "gitdir: /nonexistent\n")
	p := w.locate()
	if p.Git || len(p.Warnings) != 1 {
		t.Errorf("broken .git: %+v", p)
	}
	mustContain(t, "reason", p.NoGit, "cannot be read (fatal: ", "/nonexistent", "git status")
	if _, err := Resolve(t.Context(), p, "main"); err == nil {
		t.Error("a ref of a repository that cannot be read was found")
	} else {
		mustContain(t, "a ref", err.Error(), p.NoGit)
	}
	t.Setenv("PATH", t.TempDir())
	p = w.locate()
	if p.Git || len(p.Warnings) != 1 {
		t.Fatalf("no git command: %+v", p)
	}
	mustContain(t, "warning", p.Warnings[0].Seen, "no git command")
}

// pawl may be started by a git hook, which sets these.
func TestEnvironmentOfHook(t *testing.T) {
	w := newRepo(t)
	other := filepath.Join(w.dir, "other")
	w.git(w.dir, "init", "-q", other)
	w.unchanged()
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, ".git", "index"))
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.bare")
	t.Setenv("GIT_CONFIG_VALUE_0", "true")
	s := w.take(Options{})
	equal(t, "git directory", s.Place.GitDir, filepath.Join(w.root, ".git"))
	r, err := NewRecorder(t.Context(), s, t.TempDir(), "pawl/x")
	if err != nil {
		t.Fatal(err)
	}
	commit, _ := keep(t, s, r, "a.go", "1", "7")
	if commit == "" {
		t.Errorf("no commit: %s", r.Why())
	}
	if _, err := os.Stat(filepath.Join(other, ".git", "index")); err == nil {
		t.Error("wrote the index that GIT_INDEX_FILE names")
	}
}
