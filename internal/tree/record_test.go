package tree

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const keptMessage = "Reuse the buffer of A\n\nallocs/op 5 -> 3\n\n    --- a/x\n    +++ b/x\n    @@ -1 +1 @@\n    -1\n    +2\n\nPawl-Verdict: faster\nPawl-Change: abc\n"

// messageOf is the message of the nth change of the run r1.
func messageOf(n int) string {
	return strings.Replace(keptMessage, "Pawl-Change: abc", fmt.Sprintf("Pawl-Run: r1\nPawl-Change: c%d", n), 1)
}

// keep edits one file and records it, as the loop does.
func keep(t *testing.T, s *Snapshot, r *Recorder, rel, old, new string) (commit, patch string) {
	t.Helper()
	edits := editsOf(t, s, rel, old, new)
	diff, err := s.Diff(edits)
	if err != nil {
		t.Fatal(err)
	}
	files, err := after(s, edits)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Apply(edits); err != nil {
		t.Fatal(err)
	}
	commit, patch, err = r.Keep(t.Context(), messageOf(len(r.files)+1), files, diff)
	if err != nil {
		t.Fatal(err)
	}
	if (commit == "") == (patch == "") {
		t.Fatalf("commit %q and patch %q", commit, patch)
	}
	return commit, patch
}

func newRecorder(t *testing.T, s *Snapshot) *Recorder {
	t.Helper()
	r, err := NewRecorder(t.Context(), s, filepath.Join(t.TempDir(), "run"), "pawl/20260102T150405")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKeepCommits(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("run.go", "package proj\n")
	if err := os.Chmod(filepath.Join(w.root, "run.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.git(w.root, "add", ".")
	w.git(w.root, "commit", "-qm", "script")
	w.git(w.root, "config", "core.hooksPath", "hooks")
	w.git(w.root, "config", "commit.gpgSign", "true")
	w.git(w.root, "config", "core.splitIndex", "true")
	w.write("hooks/reference-transaction", "#!/bin/sh\nexit 1\n")
	if err := os.Chmod(filepath.Join(w.root, "hooks/reference-transaction"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.write("sub/b.go", "package sub // dirty\n")
	w.write("staged.go", "package proj\n")
	w.run(w.root, "git", "-c", "core.hooksPath=/dev/null", "add", "staged.go")
	w.write("stash.go", "package proj\n")
	w.unchanged()

	s := w.take(Options{})
	r := newRecorder(t, s)
	if len(w.git(w.root, "branch", "--list", "pawl/*")) != 0 || r.Branch() != "" || r.Merge() != "" || r.Drop() != "" {
		t.Error("something is recorded before the first Keep")
	}
	if _, err := os.Stat(r.runDir); err == nil {
		t.Error("a directory was made before the first Keep")
	}
	one, _ := keep(t, s, r, "a.go", "1", "11")
	two, _ := keep(t, s, r, "a.go", "11", "12")
	three, _ := keep(t, s, r, "run.go", "proj", "other")
	four, _ := keep(t, s, r, "made/new.go", "", "package made\n")
	if one == "" || four == "" {
		t.Fatal("no commits: ", r.Why())
	}
	branch := "pawl/20260102T150405"
	equal(t, "branch", r.Branch(), branch)
	equal(t, "tip", r.tip, four)
	equal(t, "log", strings.Fields(w.git(w.root, "rev-list", "--reverse", "main.."+branch)), []string{one, two, three, four})
	equal(t, "what the branch changes", w.git(w.root, "diff", "--raw", "--abbrev=4", "--name-only", "main", branch), "a.go\nmade/new.go\nrun.go\n")
	equal(t, "modes", w.git(w.root, "diff", "--summary", "main", branch), " create mode 100644 made/new.go\n")
	equal(t, "message", w.git(w.root, "log", "-1", "--format=%B", one), messageOf(1)+"\n")
	equal(t, "trailer", w.git(w.root, "log", "-1", "--format=%(trailers:key=Pawl-Verdict,valueonly)", one), "faster\n\n")
	equal(t, "author", w.git(w.root, "log", "-1", "--format=%an <%ae> %cn <%ce>", one), "pawl <pawl@localhost> pawl <pawl@localhost>\n")
	equal(t, "patches", r.Patches(), []string(nil))
	equal(t, "merge", r.Merge(), "git merge "+branch)
	equal(t, "drop", r.Drop(), "git branch -D "+branch)
	entries, err := os.ReadDir(r.runDir)
	if err != nil || len(entries) != 1 {
		t.Errorf("run directory: %v, %v", entries, err)
	}
	if shared, _ := filepath.Glob(filepath.Join(w.root, ".git", "sharedindex.*")); len(shared) > 1 {
		t.Errorf("shared indexes: %v", shared)
	}

	// The branch merges into the dirty tree, in another copy of it.
	clone := filepath.Join(w.dir, "clone")
	if err := os.CopyFS(clone, os.DirFS(w.root)); err != nil {
		t.Fatal(err)
	}
	w.git(clone, "-c", "core.hooksPath=/dev/null", "merge", "-q", branch)
	mustContain(t, "merged", readFile(t, filepath.Join(clone, "a.go")), "return 12")
}

func TestKeepIdentity(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.git(w.root, "config", "user.name", "Ü Ser")
	w.git(w.root, "config", "user.email", "me@example.com")
	s := w.take(Options{})
	r := newRecorder(t, s)
	commit, _ := keep(t, s, r, "a.go", "1", "2")
	equal(t, "author", w.git(w.root, "log", "-1", "--format=%an <%ae>", commit), "Ü Ser <me@example.com>\n")
	mustContain(t, "patch", readFile(t, r.files[0]), "From: Ü Ser <me@example.com>\n")
}

func TestKeepDetached(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.git(w.root, "checkout", "-q", "--detach")
	w.unchanged()
	s := w.take(Options{})
	r := newRecorder(t, s)
	commit, _ := keep(t, s, r, "a.go", "1", "2")
	equal(t, "parent", w.git(w.root, "rev-parse", commit+"^"), s.Place.Head+"\n")
}

// A linked worktree has its index and HEAD elsewhere.
func TestKeepInWorktree(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	main := w.root
	w.root = filepath.Join(w.dir, "u", "wt")
	w.git(main, "worktree", "add", "-q", w.root, "-b", "side")
	w.unchanged()
	s := w.take(Options{})
	equal(t, "common", s.Place.CommonDir, filepath.Join(main, ".git"))
	r := newRecorder(t, s)
	if commit, _ := keep(t, s, r, "a.go", "1", "2"); commit == "" {
		t.Error(r.Why())
	}
}

func TestKeepBranchNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ exists, want string }{
		{"pawl", "pawl-20260102T150405"},
		{"pawl/20260102T150405", "pawl/20260102T150405-2"},
	} {
		w := newRepo(t)
		w.git(w.root, "branch", tt.exists)
		old := w.git(w.root, "rev-parse", tt.exists)
		s := w.take(Options{})
		r := newRecorder(t, s)
		keep(t, s, r, "a.go", "1", "2")
		equal(t, "branch", r.Branch(), tt.want)
		equal(t, "the other branch", w.git(w.root, "rev-parse", tt.exists), old)
	}
	w := newRepo(t)
	if _, err := NewRecorder(t.Context(), w.take(Options{}), t.TempDir(), "pawl/a..b"); err == nil {
		t.Error("a bad name is accepted")
	}
}

// The user may commit or edit while pawl works: the branch stays on the HEAD
// that was copied, with pawl's edits only.
func TestKeepWhileUserWorks(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	s := w.take(Options{})
	r := newRecorder(t, s)
	w.write("a.go", "package proj // meanwhile\n")
	w.git(w.root, "commit", "-qam", "meanwhile")
	w.write("a.go", "package proj // and more\n")
	w.unchanged()
	commit, _ := keep(t, s, r, "a.go", "1", "2")
	equal(t, "parent", w.git(w.root, "rev-parse", commit+"^"), s.Place.Head+"\n")
	equal(t, "edit", w.git(w.root, "show", "--format=", "--numstat", commit), "1\t1\ta.go\n")

	// And a branch that somebody moved is not moved on.
	w.git(w.root, "branch", "-f", r.Branch(), "main")
	_, patch := keep(t, s, r, "sub/b.go", "2", "3")
	if patch == "" || w.git(w.root, "rev-parse", r.Branch()) != w.git(w.root, "rev-parse", "main") {
		t.Error("a branch that was moved meanwhile is written")
	}
}

func TestKeepLineEndings(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("conv.go", crlf(lines("package proj", "", "// x")))
	w.git(w.root, "config", "core.autocrlf", "true")
	w.git(w.root, "add", "conv.go")
	w.git(w.root, "commit", "-qm", "conv")
	w.git(w.root, "config", "core.autocrlf", "false")
	w.write("raw.go", crlf(lines("package proj", "", "// x")))
	w.git(w.root, "add", "raw.go")
	w.git(w.root, "commit", "-qm", "raw")
	w.git(w.root, "config", "core.autocrlf", "true")
	w.unchanged()
	s := w.take(Options{})
	mustContain(t, "copy", readFile(t, s.Path("conv.go")), "\r\n")
	r := newRecorder(t, s)
	for _, rel := range []string{"conv.go", "raw.go"} {
		commit, _ := keep(t, s, r, rel, "// x", "// y")
		if commit == "" {
			t.Fatalf("%s: %s", rel, r.Why())
		}
		equal(t, rel, w.git(w.root, "show", "--format=", "--numstat", commit), "1\t1\t"+rel+"\n")
	}
}

// The reasons for patches; and patches that apply to the tree as it was.
func TestKeepPatches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, why string
		world     func(t *testing.T) *world
	}{
		{"dirty", "a.go has uncommitted edits", func(t *testing.T) *world {
			w := newRepo(t)
			w.write("a.go", "// mine\n"+readFile(t, filepath.Join(w.root, "a.go")))
			return w
		}},
		{"staged", "a.go has uncommitted edits", func(t *testing.T) *world {
			w := newRepo(t)
			w.write("a.go", "// mine\n"+readFile(t, filepath.Join(w.root, "a.go")))
			w.git(w.root, "add", "a.go")
			return w
		}},
		{"assume unchanged", "a.go differs from HEAD", func(t *testing.T) *world {
			w := newRepo(t)
			w.git(w.root, "update-index", "--assume-unchanged", "a.go")
			w.write("a.go", "// mine\n"+readFile(t, filepath.Join(w.root, "a.go")))
			return w
		}},
		{"untracked", "a.go has uncommitted edits", func(t *testing.T) *world {
			w := newRepo(t)
			w.git(w.root, "rm", "-q", "--cached", "a.go")
			w.git(w.root, "commit", "-qm", "gone")
			return w
		}},
		{"ignored", "a.go is not in HEAD", func(t *testing.T) *world {
			w := newRepo(t)
			w.git(w.root, "rm", "-q", "--cached", "a.go")
			w.write(".gitignore", "a.go\n")
			w.git(w.root, "add", ".gitignore")
			w.git(w.root, "commit", "-qm", "ignored")
			return w
		}},
		{"unborn", "no commit yet", func(t *testing.T) *world {
			w := newRepo(t)
			w.git(w.root, "checkout", "-q", "--orphan", "fresh")
			return w
		}},
		{"no git", "not in a git repository", func(t *testing.T) *world {
			w := newRepo(t)
			if err := os.RemoveAll(filepath.Join(w.root, ".git")); err != nil {
				t.Fatal(err)
			}
			return w
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := tt.world(t)
			w.unchanged()
			s := w.take(Options{})
			r := newRecorder(t, s)
			_, one := keep(t, s, r, "a.go", "1", "11")
			_, two := keep(t, s, r, "a.go", "11", "12")
			_, three := keep(t, s, r, "sub/b.go", "2", "3") // clean, but later
			mustContain(t, "why", r.Why(), tt.why)
			equal(t, "patches", r.Patches(), []string{one, two, three})
			equal(t, "name", filepath.Base(two), "0002-reuse-the-buffer-of-a.patch")
			equal(t, "branch", r.Branch(), "")
			equal(t, "drop", r.Drop(), "rm -r "+filepath.Dir(one))
			applyAs(t, w, s, r)
		})
	}
}

// applyAs runs what Merge says, and patch and git am's parser, on copies of
// the user's tree, and compares the outcome with the snapshot.
func applyAs(t *testing.T, w *world, s *Snapshot, r *Recorder) {
	t.Helper()
	dir := filepath.Dir(r.Patches()[0])
	for name, command := range map[string]string{
		"merge": r.Merge(),
		"patch": "cat " + dir + "/*.patch | patch -d " + w.root + " -p1",
		"each":  "cd " + w.root + " && for p in " + dir + "/*.patch; do git apply $p || exit 1; done",
	} {
		tool, _, _ := strings.Cut(strings.TrimPrefix(name, "each"), " ")
		if _, err := exec.LookPath("patch"); err != nil && (tool == "patch" || !s.Place.Git) {
			t.Log("patch is not installed: not tried")
			continue
		}
		if name == "each" && !s.Place.Git {
			continue
		}
		copied := filepath.Join(t.TempDir(), "proj")
		if err := os.CopyFS(copied, os.DirFS(w.root)); err != nil {
			t.Fatal(err)
		}
		if out, err := w.run(copied, "sh", "-c", strings.ReplaceAll(command, w.root, copied)); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
		for _, rel := range slices.Sorted(maps.Keys(s.base)) {
			equal(t, name+": "+rel, readFile(t, filepath.Join(copied, rel)), readFile(t, s.Path(rel)))
		}
	}
}

// Commits first, then a dirty file: the series is complete, and so is what
// the branch holds of it.
func TestKeepSwitchesToPatches(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("sub/b.go", "// mine\n"+readFile(t, filepath.Join(w.root, "sub/b.go")))
	w.unchanged()
	s := w.take(Options{})
	r := newRecorder(t, s)
	one, _ := keep(t, s, r, "a.go", "1", "11")
	equal(t, "patches so far", r.Patches(), []string(nil))
	_, two := keep(t, s, r, "sub/b.go", "2", "3")
	_, three := keep(t, s, r, "a.go", "11", "12")
	if one == "" || two == "" || three == "" {
		t.Fatalf("commit %q, patches %q, %q", one, two, three)
	}
	equal(t, "tip", r.tip, one)
	equal(t, "patches", len(r.Patches()), 3)
	applyAs(t, w, s, r)
}

func TestKeepNothing(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	r := newRecorder(t, w.take(Options{}))
	if _, _, err := r.Keep(t.Context(), keptMessage, nil, ""); err == nil {
		t.Error("kept nothing")
	}
}

func TestResume(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.unchanged()
	s := w.take(Options{})
	r := newRecorder(t, s)
	one, _ := keep(t, s, r, "a.go", "1", "11")
	write := func(name string) string { // what a kill left
		path := filepath.Join(r.runDir, "patches", name)
		if err := os.WriteFile(path, []byte("Subject: x\n\nPawl-Change: c9\n---\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	stale := write("0002-x.patch")

	// A new process takes the tree again and applies what was kept.
	resume := func(run, tip string) (*Snapshot, *Recorder, error) {
		s := w.take(Options{})
		if _, err := s.Apply(editsOf(t, s, "a.go", "1", "11")); err != nil {
			t.Fatal(err)
		}
		n, err := NewRecorder(t.Context(), s, r.runDir, "pawl/later")
		if err != nil {
			t.Fatal(err)
		}
		return s, n, n.Resume(t.Context(), run, []string{"c1"}, tip)
	}
	s, r2, err := resume("r1", one)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("the patch of a change that was not kept is still there")
	}
	two, _ := keep(t, s, r2, "a.go", "11", "12")
	equal(t, "parent", w.git(w.root, "rev-parse", two+"^"), one+"\n")
	equal(t, "branch", r2.Branch(), r.Branch())
	equal(t, "edit", w.git(w.root, "show", "--format=", "--numstat", two), "1\t1\ta.go\n")

	// The branch has more than the journal.
	if _, _, err := resume("r1", one); err == nil {
		t.Error("resumed on a branch with two changes, where one was kept")
	}
	// The branch is gone.
	w.git(w.root, "update-ref", "-d", "refs/heads/"+r.Branch())
	s, r3, err := resume("r1", one)
	if err != nil {
		t.Fatal(err)
	}
	three, _ := keep(t, s, r3, "sub/b.go", "2", "3")
	equal(t, "new branch", r3.Branch(), "pawl/later")
	equal(t, "parent", w.git(w.root, "rev-parse", three+"^"), one+"\n")

	w.git(w.root, "update-ref", "-d", "refs/heads/"+r3.Branch())
	if _, r4, err := resume("r1", ""); err != nil || r4.Why() == "" {
		t.Error("patches: ", err)
	}
	if err := newRecorder(t, s).Resume(t.Context(), "r1", []string{"c1"}, ""); err == nil {
		t.Error("resumed without the patches")
	}
}

func TestResumeAfterHeadMoved(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	s := w.take(Options{})
	r := newRecorder(t, s)
	one, _ := keep(t, s, r, "a.go", "1", "11")
	w.write("sub/b.go", "package sub\n")
	w.git(w.root, "commit", "-qam", "meanwhile")
	n, err := NewRecorder(t.Context(), w.take(Options{}), r.runDir, "pawl/later")
	if err != nil {
		t.Fatal(err)
	}
	err = n.Resume(t.Context(), "r1", []string{"c1"}, one)
	if err == nil {
		t.Fatal("resumed on another HEAD")
	}
	mustContain(t, "error", err.Error(), "HEAD has moved")
}

// git am takes the series too, message and trailers included.
func TestMailForGitAm(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("go.mod", "module example.com/proj // dirty\n")
	s := w.take(Options{})
	r := newRecorder(t, s)
	keep(t, s, r, "a.go", "1", "2")
	clone := filepath.Join(w.dir, "clone")
	w.git(w.dir, "clone", "-q", w.root, clone)
	w.git(clone, "am", "-q", r.files[0])
	got := w.git(clone, "log", "-1", "--format=%B")
	mustContain(t, "message", got, "Reuse the buffer of A\n", "|     --- a/x\n", "Pawl-Verdict: faster\n")
}

func TestMailMarkers(t *testing.T) {
	t.Parallel()
	got := string(mail("Subject\n\n  diff --git a/x b/x\nFrom me\n---\nplain\n", "DIFF", "me <m@e>", time.Unix(0, 0).UTC()))
	mustContain(t, "mail", got, "\n|   diff --git", "\n| From me\n| ---\nplain\n---\n\nDIFF", "Date: Thu, 01 Jan 1970 00:00:00 +0000\n")
}

func TestSlug(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Reuse b.buf in (*T).Write": "reuse-b-buf-in-t-write",
		"../../etc":                 "etc",
		"":                          "change",
		"ü":                         "change",
		strings.Repeat("ab ", 40):   strings.TrimSuffix(strings.Repeat("ab-", 17), "-") + "-a",
	} {
		equal(t, in, slug(in), want)
	}
}
