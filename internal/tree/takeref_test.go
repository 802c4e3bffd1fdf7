package tree

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// odd are names that are easily misread.
var odd = []string{"a b.txt", `q"uo'te.txt`, "ünï.txt", "line\nbreak.txt", "tab\there", `back\slash`, "-dash", ":(top)x", "*.txt", " lead", "trail "}

// versions makes a repository with commits that differ in every way, returns
// them, and leaves a working tree that is none of them.
func versions(t *testing.T) (*world, []string) {
	w := newRepo(t)
	for _, name := range odd {
		w.write(name, "odd: "+name)
	}
	w.write("kind", "a file")
	w.write("same", "the same")
	w.write("mode.sh", "#!/bin/sh\n")
	w.write("gone/deep/x", "x")
	if err := os.Symlink("a.go", filepath.Join(w.root, "link")); err != nil {
		t.Skip("no symlinks here: ", err)
	}
	var ids []string
	ids = append(ids, w.commit("one"))
	for _, name := range []string{"kind", "link", "gone", odd[0]} {
		if err := os.RemoveAll(filepath.Join(w.root, name)); err != nil {
			t.Fatal(err)
		}
	}
	w.write("kind/in", "a directory")
	w.write("link", "a file")
	w.write("a.go", "package proj\n\nfunc A() int {\n\treturn 2\n}\n") // of the same size
	if err := os.Chmod(filepath.Join(w.root, "mode.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.write("more.go", "package proj\n")
	ids = append(ids, w.commit("two"))
	if err := os.RemoveAll(filepath.Join(w.root, "kind")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("sub", filepath.Join(w.root, "kind")); err != nil {
		t.Fatal(err)
	}
	ids = append(ids, w.commit("three"))
	w.write("a.go", "package proj // dirty\n")
	w.write("staged", "staged")
	w.git(w.root, "add", "staged")
	w.write("untracked.go", "package proj\n")
	w.git(w.root, "stash", "push", "-q", "staged")
	w.write("staged", "staged again")
	w.git(w.root, "add", "staged")
	return w, ids
}

// Whatever the copy held before, it holds the commit, or the working tree.
func TestTakeRef(t *testing.T) {
	t.Parallel()
	w, ids := versions(t)
	want := map[string]map[string]string{"": contents(t, w.root)}
	for name := range want[""] {
		if strings.HasPrefix(name, ".git/") {
			delete(want[""], name)
		}
	}
	for _, id := range ids {
		want[id] = w.checkout(id)
	}
	w.untouched()
	dir := ""
	for i, id := range []string{ids[0], ids[1], ids[0], ids[2], ids[1], "", ids[1], "", ids[0], ids[0], ids[2], ids[0], "", ""} {
		var s *Snapshot
		if id == "" {
			s = w.take(Options{})
		} else {
			s = w.takeRef(id, Options{})
		}
		equal(t, fmt.Sprintf("step %d: %.7s", i, id), contents(t, s.Dir), want[id])
		equal(t, "files", s.Files, len(want[id]))
		equal(t, "commit", s.Commit, id)
		if dir != "" && dir != s.Dir {
			t.Errorf("the copy moved from %s to %s", dir, s.Dir)
		}
		dir = s.Dir
		equal(t, "left", len(s.Left)+len(s.Warnings), 0)
	}
	if entries, err := os.ReadDir(filepath.Join(w.cache, "work")); err != nil || len(entries) != 3 {
		t.Errorf("the work directory has %v, %v", entries, err)
	}
}

// A file that is the same is not written again, and what a test or an edit
// does to a copy is undone, even where it hides it.
func TestTakeRefAgain(t *testing.T) {
	t.Parallel()
	w, ids := versions(t)
	want := w.checkout(ids[0])
	w.untouched()
	s := w.takeRef(ids[0], Options{})
	stat := func(rel string) os.FileInfo {
		info, err := os.Stat(s.Path(rel))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	same, changes := stat("same"), stat("a.go")
	w.takeRef(ids[1], Options{})
	w.take(Options{})
	w.takeRef(ids[1], Options{})
	s = w.takeRef(ids[0], Options{})
	if !os.SameFile(same, stat("same")) {
		t.Error("a file that is the same was written again")
	}
	if changes.ModTime().Equal(stat("a.go").ModTime()) {
		t.Error("a file that changed and changed back has its old time, by which the go command would know it")
	}

	hurt := func() {
		t.Helper()
		was := stat("same")
		for _, err := range []error{
			os.WriteFile(s.Path("same"), []byte("THE SAME"), 0o644),
			os.Chtimes(s.Path("same"), time.Time{}, was.ModTime()),
			os.Remove(s.Path("a.go")),
			os.Chmod(s.Path("sub"), 0o500),
			os.Chmod(s.Path("mode.sh"), 0o755),
			os.Remove(s.Path("link")),
			os.Symlink("/etc/passwd", s.Path("link")),
			os.WriteFile(s.Path("made"), nil, 0o644),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	hurt()
	s = w.takeRef(ids[0], Options{})
	equal(t, "after a test", contents(t, s.Dir), want)
	if _, err := s.Apply([]model.Edit{{File: "a.go", New: "// "}}); err != nil {
		t.Fatal(err)
	}
	s = w.takeRef(ids[0], Options{})
	equal(t, "after an edit", contents(t, s.Dir), want)
	// Killed half-way, the directory says nothing of itself.
	if err := os.Remove(filepath.Join(w.cache, "work", "taken.json")); err != nil {
		t.Fatal(err)
	}
	hurt()
	w.write(filepath.Join(w.cache, "work", "stage", "0", "a.go"), "half")
	w.write(filepath.Join(w.cache, "work", "stage", "0.index.lock"), "")
	s = w.takeRef(ids[0], Options{})
	equal(t, "after a kill", contents(t, s.Dir), want)
}

// Filters are those of the commit and of the user's configuration, not of the
// working tree.
func TestTakeRefFilters(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.git(w.root, "config", "filter.loud.smudge", "tr a-z A-Z")
	w.git(w.root, "config", "filter.loud.clean", "tr A-Z a-z")
	w.git(w.root, "config", "filter.loud.required", "true")
	w.write(".gitattributes", lines("*.crlf text eol=crlf", "*.id ident", "*.loud filter=loud", "*.wide text working-tree-encoding=UTF-16LE", "hidden export-ignore", "subst export-subst"))
	w.write("x.crlf", crlf("a\nb\n"))
	w.write("x.id", "$Id$\n")
	w.write("x.loud", "LOUD\n")
	w.write("x.wide", "w\x00\n\x00")
	w.write("hidden", "must be there")
	w.write("subst", "$Format:%H$")
	w.write("plain.txt", "a\nb\n")
	one := w.commit("one")
	w.write(".gitattributes", "*.loud filter=loud\nplain.txt text eol=crlf\n")
	w.write("x.crlf", "a\nb\n")
	two := w.commit("two")
	loud := []string{"filter.loud.smudge=tr a-z A-Z", "filter.loud.clean=tr A-Z a-z"}
	wantOne, wantTwo := w.checkout(one, loud...), w.checkout(two, loud...)
	equal(t, "a sample", wantOne["x.loud"]+wantOne["x.crlf"]+wantTwo["x.crlf"]+wantTwo["plain.txt"], "LOUD\na\r\nb\r\na\nb\na\r\nb\r\n")
	w.git(w.root, "config", "core.autocrlf", "false")
	hook := "#!/bin/sh\necho ran >> " + shellQuote(filepath.Join(w.root, "hooked")) + "\n"
	for _, name := range []string{"post-checkout", "post-index-change", "reference-transaction"} {
		w.write(".git/hooks/"+name, hook)
		if err := os.Chmod(filepath.Join(w.root, ".git", "hooks", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, config := range []string{"core.fsmonitor=echo", "core.sparseCheckout=true", "index.sparse=true", "core.splitIndex=true"} {
		name, value, _ := strings.Cut(config, "=")
		w.git(w.root, "config", name, value)
	}
	w.write(".git/info/sparse-checkout", "/nothing\n")
	before := w.fingerprint()
	for _, step := range []struct {
		id   string
		want map[string]string
	}{{one, wantOne}, {two, wantTwo}, {one, wantOne}, {two, wantTwo}} {
		s := w.takeRef(step.id, Options{})
		equal(t, step.id, contents(t, s.Dir), step.want)
	}
	equal(t, "the user's files", w.fingerprint(), before)

	// A setting changes what the same blobs become.
	w.git(w.root, "config", "core.autocrlf", "true")
	s := w.takeRef(one, Options{})
	equal(t, "autocrlf", contents(t, s.Dir)["plain.txt"], "a\r\nb\r\n")
	w.write(".git/info/attributes", "plain.txt -text\n")
	s = w.takeRef(one, Options{})
	equal(t, "attributes of the repository", contents(t, s.Dir)["plain.txt"], "a\nb\n")

	// A filter that fails leaves no half copy that is trusted.
	w.git(w.root, "config", "filter.loud.smudge", "false")
	_, err := TakeRef(t.Context(), w.locate(), filepath.Join(w.cache, "work"), two, Options{})
	if err == nil {
		t.Fatal("a required filter failed, and nobody said so")
	}
	mustContain(t, "error", err.Error(), "external filter", two[:12])
}

// The module in a directory, pawl's own directory in git, a commit without the
// module, and one where the root was copied elsewhere.
func TestTakeRefModule(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	none := w.head()
	w.write("mod/go.mod", "module example.com/proj/mod\n\ngo 1.25\n")
	w.write("mod/m.go", "package mod\n")
	w.write("mod/.pawl/journal.jsonl", "{}")
	w.write(".pawl/x", "x")
	w.git(w.root, "add", "-f", ".pawl", "mod")
	with := w.commit("mod")
	w.untouched()
	p, err := Locate(t.Context(), filepath.Join(w.root, "mod"))
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(w.cache, "work")
	s, err := TakeRef(t.Context(), p, work, with, Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "module", s.ModuleDir, filepath.Join(s.Dir, "mod"))
	got := contents(t, s.Dir)
	if _, ok := got["mod/m.go"]; !ok || len(got) != 5 {
		t.Errorf("copied %v", got)
	}
	_, err = TakeRef(t.Context(), p, work, none, Options{})
	if err == nil {
		t.Fatal("took a commit without the module")
	}
	mustContain(t, "error", err.Error(), none[:12], "mod/go.mod", "not there yet, or elsewhere")
	equal(t, "the copy after the error", contents(t, s.Dir), got)
	for _, bad := range []string{"", "--output=x", "gone", "HEAD:a.go"} {
		if _, err := TakeRef(t.Context(), p, work, bad, Options{}); err == nil {
			t.Errorf("took %q", bad)
		}
	}
	s, err = TakeRef(t.Context(), p, work, with, Options{MaxFile: 20})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "large files", s.Left, []Left{{Path: "a.go", Why: "too large"}, {Path: "go.mod", Why: "too large"}, {Path: "mod/go.mod", Why: "too large"}, {Path: "sub/b.go", Why: "too large"}})
	s, err = TakeRef(t.Context(), p, work, with, Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the copy after a limit", contents(t, s.Dir), got)
}

func TestTakeRefSubmodules(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	lib := filepath.Join(w.dir, "lib")
	w.write(filepath.Join(lib, "lib.go"), "package lib\n")
	w.write(filepath.Join(lib, ".gitattributes"), "*.txt text eol=crlf\n")
	w.write(filepath.Join(lib, "x.txt"), "a\n")
	w.git(w.dir, "init", "-q", lib)
	w.git(lib, "add", ".")
	w.git(lib, "commit", "-qm", "lib")
	w.git(w.root, "submodule", "--quiet", "add", lib, "third/lib")
	one := w.commit("with a submodule")
	w.write(filepath.Join(lib, "lib.go"), "package lib // two\n")
	w.git(lib, "commit", "-qam", "two")
	w.git(filepath.Join(w.root, "third", "lib"), "pull", "-q")
	two := w.commit("the submodule moves on")
	w.write("third/lib/lib.go", "package lib // dirty\n")
	w.untouched()
	for _, step := range []struct{ id, lib string }{{one, "package lib\n"}, {two, "package lib // two\n"}, {one, "package lib\n"}} {
		s := w.takeRef(step.id, Options{})
		got := contents(t, s.Dir)
		equal(t, "submodule", got["third/lib/lib.go"], step.lib)
		equal(t, "filtered", got["third/lib/x.txt"], "a\r\n")
		equal(t, "left and warnings", len(s.Left)+len(s.Warnings), 0)
	}

	// Not in the working tree, but kept by git.
	other := &world{t: t, dir: w.dir, root: filepath.Join(w.dir, "other"), cache: filepath.Join(w.dir, "cache2")}
	w.git(w.dir, "clone", "-q", "--recurse-submodules", w.root, other.root)
	if err := os.RemoveAll(filepath.Join(other.root, "third")); err != nil {
		t.Fatal(err)
	}
	s := other.takeRef("HEAD", Options{})
	equal(t, "kept by git", contents(t, s.Dir)["third/lib/lib.go"], "package lib // two\n")

	// Nowhere.
	if err := os.RemoveAll(filepath.Join(other.root, ".git", "modules")); err != nil {
		t.Fatal(err)
	}
	s = other.takeRef("HEAD", Options{})
	equal(t, "left", s.Left, []Left{{Path: "third/lib/", Why: "a submodule that is not here"}})
	if len(s.Warnings) != 1 {
		t.Fatalf("warnings: %v", s.Warnings)
	}
	mustContain(t, "warning", s.Warnings[0].Seen+s.Warnings[0].Try, "third/lib", "git submodule update")
}

// What is beside the copy follows the go.mod, go.work and symlinks of the
// commit.
func TestTakeRefSurroundings(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	up := filepath.Join(w.dir, "u")
	for _, name := range []string{"lib", "old"} {
		w.write(filepath.Join(up, name, "go.mod"), "module example.com/"+name+"\n\ngo 1.25\n")
		w.write(filepath.Join(up, name, name+".go"), "package "+name+"\n\nconst X = 1\n")
	}
	mod := func(name string) {
		w.write("go.mod", lines("module example.com/proj", "", "go 1.25", "", "require example.com/"+name+" v0.0.0", "", "replace example.com/"+name+" => ../"+name))
		w.write("a_test.go", lines("package proj", "", "import (", "\t\"testing\"", "", "\t\"example.com/"+name+"\"", ")", "", "func TestX(t *testing.T) { _ = "+name+".X }"))
	}
	mod("old")
	one := w.commit("one")
	mod("lib")
	if err := os.Symlink("../old/old.go", filepath.Join(w.root, "out")); err != nil {
		t.Skip("no symlinks here: ", err)
	}
	two := w.commit("two")
	if err := os.Remove(filepath.Join(w.root, "out")); err != nil {
		t.Fatal(err)
	}
	w.untouched()
	for _, step := range []struct {
		id       string
		links    []string
		warnings int
	}{{one, []string{"old"}, 0}, {two, []string{"lib", "old/old.go"}, 1}, {one, []string{"old"}, 0}, {"", []string{"lib"}, 0}} {
		var s *Snapshot
		if step.id == "" {
			s = w.take(Options{})
		} else {
			s = w.takeRef(step.id, Options{})
		}
		var want []string
		for _, l := range step.links {
			want = append(want, filepath.Join(up, filepath.FromSlash(l)))
		}
		equal(t, "links", s.Outside, want)
		equal(t, "warnings", len(s.Warnings), step.warnings)
		w.goTest(s)
	}
}

func TestTakeRefWorkspaces(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("in/go.mod", "module example.com/in\n\ngo 1.25\n")
	w.write("in/in.go", "package in\n\nconst X = 1\n")
	none := w.commit("without a workspace")
	w.write("go.work", "go 1.25\n\nuse (\n\t.\n\t./in\n)\n")
	w.write("a_test.go", lines("package proj", "", "import (", "\t\"testing\"", "", "\t\"example.com/in\"", ")", "", "func TestX(t *testing.T) { _ = in.X }"))
	with := w.commit("with a workspace")
	work := filepath.Join(w.root, "go.work")
	w.write("go.work", "go 1.25\n\nuse \""+w.root+"\"\nuse ./in\n") // edited, with a path that is rewritten
	s := w.take(Options{GOWORK: work})
	mustContain(t, "go.work of the tree", readFile(t, s.GOWORK), s.Dir)

	s = w.takeRef(with, Options{GOWORK: work})
	equal(t, "GOWORK", s.GOWORK, s.Path("go.work"))
	equal(t, "go.work", readFile(t, s.GOWORK), "go 1.25\n\nuse (\n\t.\n\t./in\n)\n")
	w.goTest(s)
	s = w.takeRef(none, Options{GOWORK: work})
	equal(t, "GOWORK of a commit without", s.GOWORK, "off")
	s = w.takeRef(with, Options{})
	equal(t, "GOWORK of a commit with one that is gone", s.GOWORK, s.Path("go.work"))
	s = w.takeRef(with, Options{GOWORK: "off"})
	equal(t, "GOWORK that is off", s.GOWORK, "off")
	s = w.take(Options{GOWORK: work})
	mustContain(t, "go.work of the tree", readFile(t, s.GOWORK), s.Dir)

	// One that git does not track is the user's way to build, whatever is built.
	w.git(w.root, "rm", "-q", "-f", "--cached", "go.work")
	w.write("go.work", "go 1.25\n\nuse .\nuse ./in // mine\n")
	w.write("go.work.sum", "")
	w.untouched()
	s = w.takeRef(none, Options{GOWORK: work})
	equal(t, "GOWORK of the user", s.GOWORK, s.Path("go.work"))
	mustContain(t, "go.work of the user", readFile(t, s.GOWORK), "// mine")
	if _, err := os.Stat(s.Path("go.work.sum")); err != nil {
		t.Error(err)
	}
	s = w.takeRef(with, Options{GOWORK: work})
	equal(t, "go.work of the commit", readFile(t, s.GOWORK), "go 1.25\n\nuse (\n\t.\n\t./in\n)\n")

	// One above the root.
	s = w.takeRef(none, Options{})
	equal(t, "no GOWORK", s.GOWORK, "off")
	above := filepath.Join(w.dir, "ws", "my.work")
	w.write(above, "go 1.25\n\nuse ../u/proj\nuse ../u/proj/in\n")
	s = w.takeRef(with, Options{GOWORK: above})
	equal(t, "GOWORK elsewhere", s.GOWORK, landing(s.fs(), above))
	w.goTest(s)
}

// Clones as CI systems make them, worktrees, and a detached HEAD.
func TestTakeRefClones(t *testing.T) {
	t.Parallel()
	w, ids := versions(t)
	want := w.checkout(ids[0])
	for name, clone := range map[string]func(dir string){
		"linked worktree": func(dir string) { w.git(w.root, "worktree", "add", "-q", "--detach", dir, ids[2]) },
		"detached":        func(dir string) { w.git(w.dir, "clone", "-q", w.root, dir); w.git(dir, "checkout", "-q", ids[1]) },
		"sparse": func(dir string) {
			w.git(w.dir, "clone", "-q", "--sparse", w.root, dir)
		},
		"partial": func(dir string) {
			w.git(w.root, "config", "uploadpack.allowFilter", "true")
			w.git(w.dir, "clone", "-q", "--filter=blob:none", "--sparse", "file://"+w.root, dir)
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := &world{t: t, dir: w.dir, root: filepath.Join(w.dir, name), cache: filepath.Join(w.dir, "cache-"+name)}
			clone(o.root)
			s := o.takeRef(ids[0], Options{})
			equal(t, "copy", contents(t, s.Dir), want)
			s = o.takeRef(ids[0], Options{})
			equal(t, "again", contents(t, s.Dir), want)
		})
	}
}

func TestTakeRefSHA256(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.needGit()
	if out, err := w.run(w.root, "git", "init", "-q", "--object-format=sha256"); err != nil {
		t.Skip("no SHA-256 here: ", out)
	}
	w.write("go.mod", "module m\n")
	id := w.commit("one")
	w.write("go.mod", "module two\n")
	s := w.takeRef(id, Options{})
	equal(t, "copy", contents(t, s.Dir), map[string]string{"go.mod": "module m\n"})
}

func FuzzParseHeld(f *testing.F) {
	f.Add([]byte("attrs\x00100644 ab\x00a.go\x00"))
	f.Add([]byte("\x00k\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h := parseHeld(data)
		again := parseHeld(h.bytes())
		equal(t, "attributes", again.attrs, h.attrs)
		equal(t, "keys", again.keys, h.keys)
	})
}

// BenchmarkTakeRef switches between two commits of 10000 files that differ in
// ten.
func BenchmarkTakeRef(b *testing.B) {
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("git is not installed")
	}
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	root := filepath.Join(dir, "proj")
	put := func(i, version int) {
		name := filepath.Join(root, fmt.Sprintf("d%d", i%100), fmt.Sprintf("f%d.go", i))
		data := fmt.Sprintf("package d\n\n// %d\n%s\nconst X = %d\n", i, strings.Repeat("// padding, padding, padding\n", 80), version)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=u", "-c", "user.email=u@e"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	for i := range 10000 {
		put(i, 1)
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module m\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "one")
	for i := range 10 {
		put(i*997, 2)
	}
	git("commit", "-qam", "two")
	p, err := Locate(b.Context(), root)
	if err != nil {
		b.Fatal(err)
	}
	work := filepath.Join(dir, "work")
	take := func(ref string) {
		var err error
		if ref == "" {
			_, err = Take(b.Context(), p, work, Options{})
		} else {
			_, err = TakeRef(b.Context(), p, work, ref, Options{})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			if err := os.RemoveAll(work); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			take("HEAD")
		}
	})
	for name, pair := range map[string][2]string{"commit-commit": {"HEAD~1", "HEAD"}, "commit-tree": {"HEAD~1", ""}} {
		b.Run(name, func(b *testing.B) {
			take(pair[1])
			time.Sleep(slack) // as between two sides that are built
			take(pair[0])
			take(pair[1])
			for b.Loop() {
				take(pair[0])
				take(pair[1])
			}
		})
	}
}
