package tree

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noise is bytes that do not compress, the same for one seed.
func noise(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 0))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(b)
}

// Any two commits: git's own diff of them, in all its styles, makes of the
// files of the one those of the other, and the way back.
func TestApplyPatch(t *testing.T) {
	t.Parallel()
	w, ids := versions(t)
	w.git(w.root, "reset", "-q", "--hard", ids[0])
	remove := func(names ...string) {
		t.Helper()
		for _, name := range names {
			if err := os.RemoveAll(filepath.Join(w.root, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Text, moves and copies beside those of versions.
	long := strings.Repeat("a line\nanother\n", 30)
	w.write("long", long)
	w.write("swap1", "one\n"+long)
	w.write("crlf", crlf(long))
	w.write("end", "no newline")
	w.write("empty", "")
	w.write("bin", noise(1, 5000))
	w.write("bin2", noise(2, 3000))
	ids = append(ids, w.commit("four"))
	w.write("dir/moved here", long+"edited\n")
	w.write("copied", long)
	w.write("swap1", strings.Replace(long, "another", "other", 3))
	w.write("swap2", "one\n"+long)
	w.write("crlf", crlf(strings.Replace(long, "another", "other", 1)))
	w.write("end", "no newline\nstill none")
	w.write("bin", noise(1, 2500)+"inserted"+noise(1, 5000)[2500:])
	w.write("made", noise(3, 100))
	w.write("same name/x", "x")
	if err := os.Chmod(filepath.Join(w.root, "a.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	remove("long", "empty", "bin2", odd[3])
	for i, name := range odd[:3] {
		w.write(name, fmt.Sprintf("odd %d\n", i))
	}
	if err := os.Symlink("../a.go", filepath.Join(w.root, "sub", "up")); err != nil {
		t.Fatal(err)
	}
	ids = append(ids, w.commit("five"))
	want := map[string]map[string]string{}
	for _, id := range ids {
		want[id] = w.checkout(id)
	}
	w.untouched()
	styles := [][]string{
		{"-M", "-C", "--find-copies-harder"}, {"--no-renames", "--full-index"}, {"--no-prefix", "-M"}, {"--src-prefix=i/", "--dst-prefix=w/", "-U0"}, {"-M", "--no-indent-heuristic", "-U1"},
	}
	for i, from := range ids {
		for j, to := range ids {
			if i == j {
				continue
			}
			style := styles[(i+2*j)%len(styles)]
			s := w.takeRef(from, Options{})
			patch := w.git(w.root, append(append([]string{"diff", "--binary"}, style...), from, to)...)
			if err := s.ApplyPatch(t.Context(), []byte(patch)); err != nil {
				t.Fatalf("%d to %d, %v: %v", i, j, style, err)
			}
			equal(t, fmt.Sprintf("%d to %d, %v", i, j, style), contents(t, s.Dir), want[to])
		}
	}
	for i, from := range ids {
		s := w.takeRef(from, Options{})
		equal(t, fmt.Sprint("after all patches: ", i), contents(t, s.Dir), want[from])
	}
	for _, style := range styles {
		s := w.takeRef(ids[3], Options{})
		patch := w.git(w.root, append(append([]string{"diff", "--binary"}, style...), ids[3], ids[4])...)
		if err := s.ApplyPatch(t.Context(), []byte(patch)); err != nil {
			t.Fatal(err)
		}
		equal(t, fmt.Sprint(style), contents(t, s.Dir), want[ids[4]])
	}
}

// A patch on the working tree, and a series of patches.
func TestApplyPatchOnTree(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("mod/go.mod", "module example.com/mod\n\ngo 1.25\n")
	w.write("mod/x.go", "package mod // dirty\n")
	w.write("mod/y.go", "package mod\n")
	w.git(w.root, "add", "mod")
	w.write("run.sh", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(w.root, "run.sh"), 0o750); err != nil {
		t.Fatal(err)
	}
	w.untouched()
	s := w.take(Options{})
	before := contents(t, s.Dir)
	series := lines("From 1 Mon Sep 17 00:00:00 2001", "Subject: [PATCH 1/2] one", "---", " mod/x.go | 2 +-", "",
		"diff --git a/mod/x.go b/mod/x.go", "--- a/mod/x.go", "+++ b/mod/x.go", "@@ -1 +1 @@", "-package mod // dirty", "+package mod // one",
		"diff --git a/mod/new.go b/mod/new.go", "new file mode 100644", "--- /dev/null", "+++ b/mod/new.go", "@@ -0,0 +1 @@", "+package mod",
		"-- ", "2.39.5", "",
		"From 2 Mon Sep 17 00:00:00 2001", "Subject: [PATCH 2/2] two", "---", "",
		"diff --git a/mod/x.go b/mod/x.go", "--- a/mod/x.go", "+++ b/mod/x.go", "@@ -1 +1 @@", "-package mod // one", "+package mod // two",
		"diff --git a/mod/new.go b/mod/new.go", "--- a/mod/new.go", "+++ b/mod/new.go", "@@ -1 +1,2 @@", " package mod", "+// more",
		"diff --git a/mod/y.go b/mod/y.go", "deleted file mode 100644", "--- a/mod/y.go", "+++ /dev/null", "@@ -1 +0,0 @@", "-package mod",
		"diff --git a/run.sh b/run.sh", "old mode 100755", "new mode 100644", "-- ", "2.39.5")
	if err := s.ApplyPatch(t.Context(), []byte(series)); err != nil {
		t.Fatal(err)
	}
	got := contents(t, s.Dir)
	equal(t, "x", got["mod/x.go"], "package mod // two\n")
	equal(t, "new", got["mod/new.go"], "package mod\n// more\n")
	equal(t, "mode", got["run.sh"], "#!/bin/sh\n")
	if _, ok := got["mod/y.go"]; ok {
		t.Error("a deleted file is there")
	}
	s = w.take(Options{})
	equal(t, "taken again", contents(t, s.Dir), before)

	// Made in the module's directory, or by diff -ru of two directories.
	for _, patch := range []string{
		lines("--- a/x.go", "+++ b/x.go", "@@ -1 +1 @@", "-package mod // dirty", "+package mod", "--- /dev/null", "+++ b/z.go", "@@ -0,0 +1 @@", "+package mod"),
		lines("diff -ruN old/mod/x.go new/mod/x.go", "--- old/mod/x.go\t2026-01-01", "+++ new/mod/x.go\t2026-01-01", "@@ -1 +1 @@", "-package mod // dirty", "+package mod", "--- /dev/null", "+++ new/mod/z.go", "@@ -0,0 +1 @@", "+package mod"),
	} {
		p, err := Locate(t.Context(), filepath.Join(w.root, "mod"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := Take(t.Context(), p, filepath.Join(w.cache, "work"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.ApplyPatch(t.Context(), []byte(patch)); err != nil {
			t.Fatal(err)
		}
		equal(t, "x.go", readFile(t, s.Path("mod/x.go")), "package mod\n")
		equal(t, "z.go", readFile(t, s.Path("mod/z.go")), "package mod\n")
	}
}

// What does not apply changes nothing, and every reason is said.
func TestApplyPatchRefuses(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("x", ten)
	w.write("bin", noise(1, 300))
	w.write("dir/in", "in\n")
	if err := os.Symlink("/etc", filepath.Join(w.root, "out")); err != nil {
		t.Skip("no symlinks here: ", err)
	}
	id := w.commit("x")
	w.write("bin", noise(4, 300))
	binary := w.git(w.root, "diff", "--binary")
	w.untouched()
	s := w.takeRef(id, Options{})
	w.write(s.Path("bin"), noise(9, 300)) // neither side of it
	before := contents(t, s.Dir)
	hunk := func(at int, old, new string) string {
		return fmt.Sprintf("@@ -%d +%d @@\n-%s\n+%s\n", at, at, old, new)
	}
	names := "--- a/x\n+++ b/x\n"
	git := func(rest ...string) string { return "diff --git a/x b/x\n" + lines(rest...) }
	made := func(name string, rest ...string) string {
		return "diff --git a/" + name + " b/" + name + "\n" + lines(rest...) + "--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+" + "text\n"
	}
	ok := "--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-package proj\n+package other\n"
	tests := []struct {
		name, patch string
		want        []string
	}{
		{"empty", "", []string{"changes nothing"}},
		{"every file and hunk", ok + names + hunk(1, "1", "one") + hunk(3, "drei", "three") + hunk(5, "fünf", "five") + "--- a/gone\n+++ b/gone\n" + hunk(1, "a", "b"),
			[]string{"x: hunk 2 (line 11 of the patch)", "x: hunk 3 (line 14 of the patch)", `should be "drei" and is "3"`, "no file gone (line 17"}},
		{"context", names + "@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 4\n", []string{"line 8 of"}},
		{"deletes other lines", git("deleted file mode 100644", "--- a/x", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-1", "-2"), []string{"x: it deletes the file, which has more lines"}},
		{"deletes without content", git("deleted file mode 100644"), []string{"more lines"}},
		{"there already", made("x", "new file mode 100644"), []string{"x: it makes this file, which is there already"}},
		{"renames to what is there", "diff --git a/x b/a.go\nsimilarity index 100%\nrename from x\nrename to a.go\n", []string{"a.go: it makes this file"}},
		{"file below a file", made("x/y", "new file mode 100644"), []string{"x/y: x is not a directory"}},
		{"file in place of a directory", made("dir", "new file mode 100644"), []string{"directory with dir/in in it"}},
		{"through a symlink", made("out/pawl-test", "new file mode 100644"), []string{"out is not a directory"}},
		{"through a symlink of its own", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+dir\n\\ No newline at end of file\n" + made("l/y", "new file mode 100644"), []string{"l/y: l is not a directory"}},
		{"symlink out", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+../../x\n\\ No newline at end of file\n", []string{"l: it makes a symlink that leaves the tree"}},
		{"absolute symlink", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n", []string{"leaves the tree"}},
		{"outside", made("../x", "new file mode 100644"), []string{"not a path in the tree"}},
		{"git's directory", made(".git/hooks/pre-commit", "new file mode 100755"), []string{"never edited"}},
		{"pawl's directory", made("sub/.pawl/x", "new file mode 100644"), []string{"never edited"}},
		{"no data", git("Binary files a/x and b/x differ"), []string{"x: it changes a binary file", "git diff --binary"}},
		{"binary of another file", binary, []string{"bin: the binary change at line", "git apply"}},
		{"broken binary", git("index 1111111111111111111111111111111111111111..2222222222222222222222222222222222222222 100644", "GIT binary patch", "literal 3", "Kxyz", "", "literal 0", "HcmV?d00001", ""), []string{"x: the binary change"}},
		{"submodule", "diff --git a/m b/m\nnew file mode 160000\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit 1\n", []string{"m: it changes a submodule"}},
		{"strange mode", git("old mode 100644", "new mode 100777"), []string{"mode 100777"}},
		{"mode of another kind", git("old mode 100644", "new mode 120000"), []string{"no kind of"}},
		{"absolute name", "--- /dev/null\n+++ /etc/pawl-test\n@@ -0,0 +1 @@\n+x\n", []string{"/etc/pawl-test is an absolute path"}},
		{"git's directory on Windows", made("GIT~1/config", "new file mode 100644"), []string{"never edited"}},
		{"pawl's directory on macOS", made(".Pawl/x", "new file mode 100644"), []string{"never edited"}},
		{"too large", strings.Repeat("# a line of prose\n", 1<<20), []string{"18.0 MiB, and 16 MiB is the most"}},
		{"header alone", git("index 1..2 100644"), []string{"says nothing"}},
		{"cut off", names + "@@ -1,3 +1,3 @@\n 1\n", []string{"ends within a hunk"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			patch := tt.patch
			if patch != "" && !strings.HasPrefix(patch, ok) {
				patch = ok + patch // which must not be applied either
			}
			err := s.ApplyPatch(t.Context(), []byte(patch))
			if err == nil {
				t.Fatal("accepted")
			}
			mustContain(t, "error", err.Error(), tt.want...)
			equal(t, "tree", contents(t, s.Dir), before)
		})
	}
}

// A patch may change what is beside the tree.
func TestApplyPatchSurroundings(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	lib := filepath.Join(w.dir, "u", "lib")
	w.write(filepath.Join(lib, "go.mod"), "module example.com/lib\n\ngo 1.25\n")
	w.write(filepath.Join(lib, "lib.go"), "package lib\n\nconst X = 1\n")
	w.write("in/go.mod", "module example.com/in\n\ngo 1.25\n")
	w.write("in/in.go", "package in\n\nconst X = 1\n")
	id := w.commit("in")
	w.write("go.work", "go 1.25\n\nuse (\n\t.\n\t./in\n\t../lib\n)\n")
	w.write("a_test.go", lines("package proj", "", "import (", "\t\"testing\"", "", "\t\"example.com/in\"", "\t\"example.com/lib\"", ")", "", "func TestX(t *testing.T) { _ = in.X + lib.X }"))
	w.git(w.root, "add", ".")
	patch := w.git(w.root, "diff", "--cached")
	w.git(w.root, "reset", "-q", "--hard")
	w.untouched()
	s := w.takeRef(id, Options{})
	equal(t, "GOWORK before", s.GOWORK, "off")
	if err := s.ApplyPatch(t.Context(), []byte(patch)); err != nil {
		t.Fatal(err)
	}
	equal(t, "GOWORK", s.GOWORK, s.Path("go.work"))
	equal(t, "links", s.Outside, []string{lib})
	w.goTest(s)
	s = w.takeRef(id, Options{})
	equal(t, "GOWORK after", s.GOWORK, "off")
	equal(t, "links after", s.Outside, []string(nil))
}

// The cache may be in a directory that is a repository itself, with attributes
// that are not those of the tree.
func TestApplyPatchInRepository(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("bin", noise(1, 300))
	id := w.commit("bin")
	w.write("bin", noise(2, 300))
	w.write("a.go", "package proj\n")
	patch := w.git(w.root, "diff", "--binary")
	w.git(w.dir, "init", "-q")
	w.write(filepath.Join(w.dir, ".gitattributes"), "* text eol=crlf\n")
	w.git(w.dir, "config", "apply.whitespace", "fix")
	w.untouched()
	s := w.takeRef(id, Options{})
	if err := s.ApplyPatch(t.Context(), []byte(patch)); err != nil {
		t.Fatal(err)
	}
	equal(t, "binary", readFile(t, s.Path("bin")) == noise(2, 300), true)
	equal(t, "text", readFile(t, s.Path("a.go")), "package proj\n")
}

// Without git, text can be patched all the same.
func TestApplyPatchWithoutGit(t *testing.T) {
	w := newWorld(t)
	w.write("go.mod", "module m\n")
	w.write("x", ten)
	w.untouched()
	t.Setenv("PATH", t.TempDir())
	s := w.take(Options{})
	if err := s.ApplyPatch(t.Context(), []byte("--- x\n+++ x\n@@ -1 +1 @@\n-1\n+one\ndiff --git a/go.mod b/y/go.mod\nrename from go.mod\nrename to y/go.mod\n")); err != nil {
		t.Fatal(err)
	}
	equal(t, "copy", contents(t, s.Dir), map[string]string{"x": "one" + ten[1:], "y/go.mod": "module m\n"})
	s = w.take(Options{})
	equal(t, "taken again", contents(t, s.Dir), map[string]string{"x": ten, "go.mod": "module m\n"})
}

func FuzzApplyPatch(f *testing.F) {
	f.Add("--- a/x\n+++ b/x\n@@ -4,3 +4,3 @@\n 4\n-5\n+FIVE\n 6\n")
	f.Add("diff --git a/x b/d/y\nrename from x\nrename to d/y\nold mode 100644\nnew mode 100755\n")
	f.Add("diff --git a/x b/x\ndeleted file mode 100644\ndiff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+k\n\\ No newline\n")
	f.Add("diff --git a/k/in b/k/in\ncopy from k/in\ncopy to \"../\\057x\"\nindex 1..2\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\n")
	f.Fuzz(func(t *testing.T, patch string) {
		if strings.Contains(patch, "GIT binary patch") {
			t.Skip("git reads that")
		}
		dir := t.TempDir()
		s := &Snapshot{Dir: filepath.Join(dir, "fs", "r"), ModuleDir: filepath.Join(dir, "fs", "r"), Place: &Place{Root: filepath.Join(dir, "r"), Module: filepath.Join(dir, "r")},
			base: map[string]*original{}, symlinks: map[string]bool{}, workDir: dir, in: belowOf(t, dir), work: workPath{fixed: true}}
		s.Dir = landing(s.fs(), s.Place.Root)
		for name, data := range map[string]string{"x": ten, "k/in": "in"} {
			if err := os.MkdirAll(filepath.Dir(s.Path(name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(s.Path(name), []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		before := contents(t, s.Dir)
		if err := s.ApplyPatch(t.Context(), []byte(patch)); err != nil {
			equal(t, "tree after "+err.Error(), contents(t, s.Dir), before)
		}
		all := contents(t, dir)
		inside := contents(t, s.Dir)
		equal(t, "files outside", len(all), len(inside))
	})
}
