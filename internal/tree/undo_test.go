package tree

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// threeKept is a repository with three kept changes on a branch: the third
// stands on the first, in the same lines.
func threeKept(t *testing.T) (*world, *Recorder) {
	t.Helper()
	w := newRepo(t)
	w.unchanged()
	s := w.take(Options{})
	r := newRecorder(t, s)
	keep(t, s, r, "a.go", "return 1", "return 11")
	keep(t, s, r, "sub/b.go", "return 2", "return 22")
	keep(t, s, r, "a.go", "return 11", "return 111")
	return w, r
}

// branch returns the only branch of pawl's.
func (w *world) branch() *Branch {
	w.t.Helper()
	all, err := Branches(w.t.Context(), w.locate())
	if err != nil || len(all) != 1 {
		w.t.Fatalf("branches: %v, %v", all, err)
	}
	return all[0]
}

func TestBranches(t *testing.T) {
	t.Parallel()
	w, r := threeKept(t)
	b := w.branch()
	equal(t, "name", b.Name, r.Branch())
	equal(t, "run", b.Run, "r1")
	equal(t, "changes", b.Changes(), []string{"c1", "c2", "c3"})
	equal(t, "base", b.Base+"\n", w.git(w.root, "rev-parse", "HEAD"))
	equal(t, "worktree", b.Worktree, "")
	equal(t, "foreign", b.Foreign, 0)
	refs, err := Elsewhere(t.Context(), w.locate(), b.Base)
	equal(t, "elsewhere", refs, []string{"main"})
	if err != nil {
		t.Error(err)
	}
}

func TestUndo(t *testing.T) {
	t.Parallel()
	w, r := threeKept(t)
	b, p := w.branch(), w.locate()

	// The first cannot go: the third is about the same line.
	var depends *DependsError
	_, err := Undo(t.Context(), p, b, b.Commits[0], t.TempDir(), "")
	if !errors.As(err, &depends) || !strings.Contains(err.Error(), "undo that one first") {
		t.Fatalf("the first of three: %v", err)
	}
	// Worked out with its objects elsewhere, nothing is written.
	objects := t.TempDir()
	before := w.git(w.root, "count-objects", "-v")
	_, err = Undo(t.Context(), p, b, b.Commits[1], t.TempDir(), objects)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "objects", w.git(w.root, "count-objects", "-v"), before)
	equal(t, "branch", w.git(w.root, "rev-parse", b.Name), b.Tip+"\n")

	// The second can: the third is in another file.
	scratch := t.TempDir()
	u, err := Undo(t.Context(), p, b, b.Commits[1], scratch, "")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "files", u.Files, []string{"a.go"})
	if err := u.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	now := w.branch()
	equal(t, "changes", now.Changes(), []string{"c1", "c3"})
	equal(t, "tip", now.Tip, u.New)
	equal(t, "moved", u.Moved, map[string]string{b.Commits[2].ID: u.New})
	equal(t, "first", now.Commits[0].ID, b.Commits[0].ID)
	equal(t, "content", w.git(w.root, "diff", "--stat", "HEAD", now.Name), w.git(w.root, "diff", "--stat", "HEAD", now.Name, "--", "a.go"))
	format := "--format=%an %ae %ad %cn %ce %cd%n%B"
	equal(t, "commit", w.git(w.root, "log", "-1", format, u.New), w.git(w.root, "log", "-1", format, b.Tip))
	w.git(w.root, "fsck", "--strict", "--no-dangling")
	if left, _ := os.ReadDir(scratch); len(left) > 0 {
		t.Errorf("left in the scratch directory: %v", left)
	}

	// A run that saw the branch as it was must not move it.
	if err := u.Do(t.Context()); err == nil {
		t.Error("done twice")
	}
	// One after the other, until nothing is left.
	for range 2 {
		b := w.branch()
		u, err := Undo(t.Context(), p, b, b.Commits[len(b.Commits)-1], t.TempDir(), "")
		if err == nil {
			err = u.Do(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "branches", w.git(w.root, "branch", "--list", "pawl/*"), "")
	if series, err := PatchFiles(r.runDir); err != nil || len(series) != 3 || series[2].Change != "c3" {
		t.Errorf("patches: %+v, %v", series, err)
	}
}

func TestUndoRefuses(t *testing.T) {
	t.Parallel()
	w := newRepo(t) // its own files change here
	s := w.take(Options{})
	r := newRecorder(t, s)
	keep(t, s, r, "a.go", "return 1", "return 11")
	p := w.locate()

	linked := filepath.Join(w.dir, "linked")
	w.git(w.root, "worktree", "add", "-q", linked, r.Branch())
	b := w.branch()
	equal(t, "worktree", b.Worktree, linked)
	_, err := Undo(t.Context(), p, b, b.Commits[0], t.TempDir(), "")
	if err == nil || !strings.Contains(err.Error(), "git revert "+b.Tip[:12]) {
		t.Errorf("checked out: %v", err)
	}
	if err := b.Delete(t.Context(), p); err == nil {
		t.Error("deleted a branch that is checked out")
	}

	w.write(filepath.Join(linked, "mine.go"), "package proj\n")
	w.git(linked, "add", ".")
	w.git(linked, "commit", "-qm", "mine")
	w.git(linked, "checkout", "-q", "--detach")
	b = w.branch()
	equal(t, "foreign", b.Foreign, 1)
	equal(t, "changes", b.Changes(), []string{"c1"})
	if _, err := Undo(t.Context(), p, b, b.Commits[0], t.TempDir(), ""); err == nil || !strings.Contains(err.Error(), "did not make") {
		t.Errorf("a commit on top: %v", err)
	}

	// Merged, it may go; and while it is rebased it may not.
	w.git(w.root, "merge", "-q", r.Branch())
	refs, err := Elsewhere(t.Context(), p, b.Tip)
	equal(t, "merged into", refs, []string{"main"})
	if err != nil {
		t.Error(err)
	}
	w.write(filepath.Join(w.root, ".git/rebase-merge/head-name"), "refs/heads/"+b.Name+"\n")
	if b := w.branch(); b.Worktree == "" {
		t.Error("a branch that is being rebased is nobody's")
	}
}

func TestRecommit(t *testing.T) {
	t.Parallel()
	was := "tree 1\nparent 2\nparent 3\nauthor A <a> 1 +0000\ncommitter C <c> 2 +0000\ngpgsig -----BEGIN\n \n more\nencoding X\n\nsubject\n\nparent 9\n"
	want := "tree t\nparent p\nauthor A <a> 1 +0000\ncommitter C <c> 2 +0000\nencoding X\n\nsubject\n\nparent 9\n"
	equal(t, "commit", string(recommit([]byte(was), "t", "p")), want)
}

func TestWorkDirectories(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	p := w.locate()
	dir, release, err := WorkDir(p, w.cache)
	if err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join(dir, "x"), "12345")
	w.write(filepath.Join(w.cache, "pawl/work/0123456789abcdef/y"), "1")
	w.write(filepath.Join(w.cache, "pawl/work/mine/z"), "1")
	one := func(all bool) []WorkDirectory {
		t.Helper()
		directories, err := WorkDirectories(p, w.cache, all)
		if err != nil {
			t.Fatal(err)
		}
		return directories
	}
	got := one(false)
	if len(got) != 1 || got[0].Path != dir || !got[0].Busy || got[0].Holder.PID != os.Getpid() {
		t.Fatalf("got %+v", got)
	}
	if err := got[0].Remove(); err == nil {
		t.Error("removed what is in use")
	}
	release()
	got = one(false)
	got[0].Measure()
	if got[0].Busy || got[0].Bytes != 5 {
		t.Errorf("after it was released: %+v", got[0])
	}
	for _, f := range one(true) {
		if err := f.Remove(); err != nil {
			t.Error(err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(w.cache, "pawl/work/*"))
	equal(t, "left", left, []string{filepath.Join(w.cache, "pawl/work/mine")})
}
