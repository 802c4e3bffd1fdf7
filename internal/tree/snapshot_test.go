package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What git calls the state of a file must not matter: the copy is what is
// there.
func TestTakeAsItIs(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("deleted.go", "package proj\n")
	w.write("both.go", "package proj\n")
	w.write("run.sh", "#!/bin/sh\n")
	w.write("crlf.txt", crlf(lines("a", "b")))
	w.write(".gitattributes", "crlf.txt text eol=crlf\n")
	w.write("assumed.go", "package proj\n")
	w.git(w.root, "add", ".")
	w.git(w.root, "commit", "-qm", "second")
	w.write("both.go", "package proj // staged\n")
	w.git(w.root, "add", "both.go")
	w.write("both.go", "package proj // staged and edited\n")
	w.git(w.root, "update-index", "--assume-unchanged", "assumed.go")
	w.write("assumed.go", "package proj // unseen\n")
	w.write("untracked ü.go", "package proj\n")
	w.write("intent.go", "package proj\n")
	w.git(w.root, "add", "-N", "intent.go")
	w.write("sub/was/x.go", "package was\n")
	w.git(w.root, "add", "sub/was")
	if err := os.RemoveAll(filepath.Join(w.root, "sub/was")); err != nil {
		t.Fatal(err)
	}
	w.write("sub/was", "a file where git knows a directory\n")
	if err := os.Remove(filepath.Join(w.root, "deleted.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(w.root, "run.sh"), 0o555); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.go", filepath.Join(w.root, "link.go")); err != nil {
		t.Skip("no symlinks here: ", err)
	}
	w.write(".pawl/runs/1/x", "pawl's own")
	w.write(".pawl/.gitignore", "*\n")
	w.unchanged()

	s := w.take(Options{})
	equal(t, "copy", contents(t, s.Dir), map[string]string{
		".gitattributes": "crlf.txt text eol=crlf\n",
		"a.go":           "package proj\n\nfunc A() int {\n\treturn 1\n}\n",
		"assumed.go":     "package proj // unseen\n",
		"both.go":        "package proj // staged and edited\n",
		"crlf.txt":       "a\r\nb\r\n",
		"go.mod":         "module example.com/proj\n\ngo 1.25\n",
		"intent.go":      "package proj\n",
		"link.go":        "-> a.go",
		"run.sh":         "#!/bin/sh\n*",
		"sub/b.go":       "package sub\n\nfunc B() int {\n\treturn 2\n}\n",
		"sub/was":        "a file where git knows a directory\n",
		"untracked ü.go": "package proj\n",
	})
	equal(t, "left", s.Left, []Left(nil))
	equal(t, "files", s.Files, 12)
	equal(t, "GOWORK", s.GOWORK, "off")
	info, err := os.Stat(s.Path("run.sh"))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("a read-only script became %v, %v", info.Mode(), err)
	}
	was, _ := os.Stat(filepath.Join(w.root, "a.go"))
	now, _ := os.Stat(s.Path("a.go"))
	if !was.ModTime().Equal(now.ModTime()) || os.SameFile(was, now) {
		t.Errorf("a.go: time %v became %v, same file %v", was.ModTime(), now.ModTime(), os.SameFile(was, now))
	}
}

func TestTakeConflict(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.git(w.root, "checkout", "-qb", "side")
	w.write("a.go", "package side\n")
	w.git(w.root, "commit", "-qam", "side")
	w.git(w.root, "checkout", "-q", "main")
	w.write("a.go", "package main\n")
	w.git(w.root, "commit", "-qam", "main")
	if out, err := w.run(w.root, "git", "-c", "user.name=u", "-c", "user.email=u@e", "merge", "side"); err == nil {
		t.Fatal("no conflict: ", out)
	}
	w.unchanged()
	s := w.take(Options{})
	mustContain(t, "a.go", readFile(t, s.Path("a.go")), "<<<<<<<", "package side")
	if !s.Place.DirtyFiles["a.go"] {
		t.Error("a file in conflict is not dirty")
	}
}

func TestTakeIgnored(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write(".gitignore", lines("vendor/", "go.work", "*.gen.go", ".env", "build/", "secret.txt", "node_modules", "dist/"))
	for name, data := range map[string]string{
		"vendor/x.org/y/LICENSE":   "l",
		"vendor/modules.txt":       "m",
		"go.work":                  "go 1.25\nuse .\n",
		"sub/k.gen.go":             "package sub\n",
		"sub/testdata/secret.txt":  "needed by a test",
		".env":                     "PASSWORD=1",
		"build/out.o":              "o",
		"build/gen/g.go":           "package gen\n",
		"build/gen/g.s":            "",
		"dist/index.html":          "<p>",
		"dist/deep/app.js":         "x",
		"node_modules/p/index.js":  "x",
		"node_modules/p/native.cc": "x",
	} {
		w.write(name, data)
	}
	w.unchanged()
	s := w.take(Options{Extra: []string{filepath.Join(w.root, "dist", "index.html"), "dist/deep", "nowhere", "/etc/passwd"}})
	got := contents(t, s.Dir)
	for name, want := range map[string]bool{
		"vendor/x.org/y/LICENSE": true, "vendor/modules.txt": true, "go.work": true, "sub/k.gen.go": true,
		"sub/testdata/secret.txt": true, "build/gen/g.go": true, "build/gen/g.s": true,
		"dist/index.html": true, "dist/deep/app.js": true, "node_modules/p/native.cc": true,
		".env": false, "build/out.o": false, "node_modules/p/index.js": false,
	} {
		if _, ok := got[name]; ok != want {
			t.Errorf("%s copied: %v, want %v", name, ok, want)
		}
	}
	equal(t, "left", s.Left, []Left{
		{Path: ".env", Why: "ignored by git"},
		{Path: "build/", Why: "ignored by git", Copied: 2},
		{Path: "dist/", Why: "ignored by git"},
		{Path: "node_modules/", Why: "ignored by git", Copied: 1},
	})
}

func TestTakeNestedRepositories(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	lib := filepath.Join(w.dir, "lib")
	w.write(filepath.Join(lib, "lib.go"), "package lib\n")
	w.write(filepath.Join(lib, ".gitignore"), "*.tmp\n")
	w.git(w.dir, "init", "-q", lib)
	w.git(lib, "add", ".")
	w.git(lib, "commit", "-qm", "lib")
	w.git(w.root, "submodule", "--quiet", "add", lib, "third/lib")
	w.git(w.root, "submodule", "--quiet", "add", lib, "third/empty")
	w.git(w.root, "commit", "-qm", "submodules")
	w.git(w.root, "submodule", "--quiet", "deinit", "-f", "third/empty")
	w.write("third/lib/lib.go", "package lib // dirty\n")
	w.write("third/lib/more.go", "package lib\n")
	w.write("third/lib/x.tmp", "left")
	w.write("nested/n.go", "package nested\n")
	w.git(filepath.Join(w.root, "nested"), "init", "-q")
	w.git(filepath.Join(w.root, "nested"), "add", ".")
	w.git(filepath.Join(w.root, "nested"), "commit", "-qm", "nested")
	w.write("broken/b.go", "package broken\n")
	w.write("broken/.git/HEAD", "nonsense")
	w.unchanged()

	s := w.take(Options{})
	got := contents(t, s.Dir)
	delete(got, ".gitmodules")
	equal(t, "copy", got, map[string]string{
		"a.go":                 "package proj\n\nfunc A() int {\n\treturn 1\n}\n",
		"go.mod":               "module example.com/proj\n\ngo 1.25\n",
		"sub/b.go":             "package sub\n\nfunc B() int {\n\treturn 2\n}\n",
		"third/lib/.gitignore": "*.tmp\n",
		"third/lib/lib.go":     "package lib // dirty\n",
		"third/lib/more.go":    "package lib\n",
		"nested/n.go":          "package nested\n",
		"broken/b.go":          "package broken\n",
	})
	equal(t, "left", s.Left, []Left{{Path: "third/lib/x.tmp", Why: "ignored by git"}})

	// Neither a submodule's file nor a nested repository's can be committed.
	for _, rel := range []string{"third/lib/lib.go", "nested/n.go", "nested/new.go"} {
		r, err := NewRecorder(t.Context(), s, t.TempDir(), "pawl/x")
		if err != nil {
			t.Fatal(err)
		}
		commit, patch := keep(t, s, r, rel, "", "// x\n")
		if commit != "" || patch == "" || r.Why() == "" {
			t.Errorf("%s: commit %q, patch %q, why %q", rel, commit, patch, r.Why())
		}
	}
}

func TestTakeWithoutGit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("go.mod", "module m\n")
	w.write("a.go", "package m\n")
	w.write("big.bin", strings.Repeat("x", 2000))
	w.write("node_modules/x.js", "")
	w.write(".git/config", "not a repository")
	w.write(".pawl/x", "")
	w.unchanged()
	s := w.take(Options{MaxFile: 1000})
	equal(t, "copy", contents(t, s.Dir), map[string]string{"go.mod": "module m\n", "a.go": "package m\n"})
	equal(t, "left", s.Left, []Left{{Path: "big.bin", Why: "too large"}})
	if len(s.Warnings) != 1 {
		t.Errorf("warnings: %v", s.Warnings)
	}
}

// A second Take in the same directory ends at the same copy as a first one,
// whatever was done to it meanwhile.
func TestTakeAgain(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("kind", "file")
	s := w.take(Options{})
	dir := s.Dir
	if _, err := s.Apply(editsOf(t, s, "a.go", "1", "2")); err != nil {
		t.Fatal(err)
	}
	// A test writes, deletes and locks things.
	w.write(filepath.Join(dir, "sub", "made.txt"), "x")
	w.write(filepath.Join(dir, "locked", "in", "x"), "x")
	old := time.Now().Add(-time.Hour)
	same := strings.Replace(readFile(t, s.Path("sub/b.go")), "2", "3", 1)
	info, err := os.Stat(s.Path("sub/b.go"))
	if err != nil {
		t.Fatal(err)
	}
	w.write(s.Path("sub/b.go"), same)
	for _, err := range []error{
		os.Chtimes(s.Path("sub/b.go"), time.Time{}, info.ModTime()), // size and time as before
		os.Chmod(filepath.Join(dir, "locked", "in"), 0),
		os.Chmod(filepath.Join(dir, "sub"), 0o555),
		os.Remove(filepath.Join(dir, "go.mod")),
		os.Remove(filepath.Join(w.root, "kind")),
		os.Mkdir(filepath.Join(w.root, "kind"), 0o755),
		os.Chtimes(filepath.Join(w.root, "a.go"), old, old),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	w.write("kind/now", "a directory")
	w.write("more.go", "package proj\n")
	w.unchanged()
	s = w.take(Options{})
	equal(t, "path", s.Dir, dir)
	want := contents(t, w.root)
	for name := range want {
		if strings.HasPrefix(name, ".git/") {
			delete(want, name)
		}
	}
	equal(t, "copy", contents(t, s.Dir), want)
}

// A file that was not written since is not copied again.
func TestTakeAgainTrusts(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	s := w.take(Options{})
	before, err := os.Stat(s.Path("a.go"))
	if err != nil {
		t.Fatal(err)
	}
	w.write("sub/b.go", "package sub\n")
	s = w.take(Options{})
	after, err := os.Stat(s.Path("a.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) {
		t.Error("an unchanged file was copied again")
	}
	equal(t, "changed file", readFile(t, s.Path("sub/b.go")), "package sub\n")
}

func TestTakeRefusesDirectoryInModule(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	_, err := Take(t.Context(), w.locate(), filepath.Join(w.root, "cache"), Options{})
	if err == nil {
		t.Fatal("copied the tree into itself")
	}
	mustContain(t, "error", err.Error(), "inside the module")
	if _, err := os.Stat(filepath.Join(w.root, "cache")); err == nil {
		t.Error("made the directory all the same")
	}
}

// A home directory under git, with the cache in it.
func TestTakeDirectoryInRoot(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("mod/go.mod", "module mod\n")
	w.git(w.root, "add", "mod")
	w.git(w.root, "commit", "-qm", "mod")
	p, err := Locate(t.Context(), filepath.Join(w.root, "mod"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s, err := Take(t.Context(), p, filepath.Join(w.root, "cache", "work"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "files", s.Files, 4)
	}
}
