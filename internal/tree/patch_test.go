package tree

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

func TestReadPatch(t *testing.T) {
	t.Parallel()
	five := lines("@@ -4,3 +4,3 @@ func x() {", " 4", "-5", "+FIVE", " 6")
	tests := []struct{ name, old, patch, want string }{
		{"git", ten, "diff --git a/d/x.go b/d/x.go\nindex 1..2 100644\n--- a/d/x.go\n+++ b/d/x.go\n" + five, strings.Replace(ten, "5", "FIVE", 1)},
		{"diff -u", ten, "--- d/x.go.orig\t2026-01-01\n+++ d/x.go\t2026-01-02\n" + five, strings.Replace(ten, "5", "FIVE", 1)},
		{"no prefix", ten, "diff --git d/x.go d/x.go\n--- d/x.go\n+++ d/x.go\n" + five, strings.Replace(ten, "5", "FIVE", 1)},
		{"mnemonic prefix", ten, "diff --git i/d/x.go w/d/x.go\n--- i/d/x.go\n+++ w/d/x.go\n" + five, strings.Replace(ten, "5", "FIVE", 1)},
		{"in a mail", ten, "From 0 Mon\nSubject: [PATCH] x\n\n--- is not a header\n---\n d/x.go | 2 +-\n\ndiff --git a/d/x.go b/d/x.go\n--- a/d/x.go\n+++ b/d/x.go\n" + five + "-- \n2.39\n", strings.Replace(ten, "5", "FIVE", 1)},
		{"moved down", "0\n0\n0\n" + ten, "--- a/d/x.go\n+++ b/d/x.go\n" + five, "0\n0\n0\n" + strings.Replace(ten, "5", "FIVE", 1)},
		{"moved up", ten[4:], "--- a/d/x.go\n+++ b/d/x.go\n" + five, strings.Replace(ten[4:], "5", "FIVE", 1)},
		{"CRLF file, LF patch", crlf(ten), "--- a/d/x.go\n+++ b/d/x.go\n" + five, crlf(strings.Replace(ten, "5", "FIVE", 1))},
		{"LF file, CRLF patch", ten, crlf("--- a/d/x.go\n+++ b/d/x.go\n" + five), strings.Replace(ten, "5", "FIVE", 1)},
		{"without context", ten, "--- a/d/x.go\n+++ b/d/x.go\n@@ -5 +5 @@\n-5\n+FIVE\n@@ -7,0 +8,2 @@\n+7a\n+7b\n", strings.Replace(strings.Replace(ten, "5", "FIVE", 1), "7\n", "7\n7a\n7b\n", 1)},
		{"stripped blank", "a\n\nb\n", "--- a/d/x.go\n+++ b/d/x.go\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "a\n\nc\n"},
		{"newline added", "a\nb", "--- a/d/x.go\n+++ b/d/x.go\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"},
		{"newline taken", "a\nb\n", "--- a/d/x.go\n+++ b/d/x.go\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb"},
		{"newline added, CRLF patch", "a\nb", crlf("--- a/d/x.go\n+++ b/d/x.go\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"), "a\nb\n"},
		{"quoted", ten, "diff --git \"a/d/x.go\" \"b/d/x.go\"\n--- \"a/d/x\\056go\"\n+++ \"b/d/x\\056go\"\n" + five, strings.Replace(ten, "5", "FIVE", 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := snapshotOf(t, "d/x.go", tt.old)
			edits, err := s.ReadPatch([]byte(tt.patch))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Apply(edits); err != nil {
				t.Fatal(err)
			}
			equal(t, "file", readFile(t, s.Path("d/x.go")), tt.want)
		})
	}
}

func TestReadPatchRefuses(t *testing.T) {
	t.Parallel()
	head := "diff --git a/d/x.go b/d/x.go\n"
	names := "--- a/d/x.go\n+++ b/d/x.go\n"
	tests := []struct{ name, patch, want string }{
		{"empty", "", "changes nothing"},
		{"prose", "hello\n", "changes nothing"},
		{"other lines", names + "@@ -1 +1 @@\n-one\n+two\n", "hunk 1 (line 3 of the patch) does not apply: line 1 of the file should be \"one\" and is \"1\""},
		{"no file", "--- a/d/y.go\n+++ b/d/y.go\n@@ -1 +1 @@\n-1\n+2\n", "no file b/d/y.go"},
		{"outside", "--- a/../../y.go\n+++ b/../../y.go\n@@ -0,0 +1 @@\n+2\n", "leads out"},
		{"made outside", "--- /dev/null\n+++ b/../../y.go\n@@ -0,0 +1 @@\n+2\n", "leads out"},
		{"made in .git", "--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+2\n", "never edited"},
		{"delete", head + "deleted file mode 100644\n--- a/d/x.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", "d/x.go: it deletes the file"},
		{"plain delete", "--- d/x.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", "deletes the file"},
		{"rename", "diff --git a/d/x.go b/d/y.go\nsimilarity index 100%\nrename from d/x.go\nrename to d/y.go\n", "renames the file"},
		{"mode", head + "old mode 100644\nnew mode 100755\n", "changes the file's mode"},
		{"binary", head + "Binary files a/d/x.go and b/d/x.go differ\n", "binary"},
		{"executable", "diff --git a/y b/y\nnew file mode 100755\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+x\n", "100755"},
		{"there already", "--- /dev/null\n+++ b/d/x.go\n@@ -0,0 +1 @@\n+x\n", "there already"},
		{"cut off", names + "@@ -1,3 +1,3 @@\n 1\n", "ends within a hunk"},
		{"long", names + "@@ -1 +1 @@\n-1\n-2\n+1\n", "other lines than its header"},
		{"strange", names + "@@ -1 +1 @@\n*1\n", "begins with '*'"},
		{"twice", names + "@@ -1 +1 @@\n-1\n+2\n" + names + "@@ -1 +1 @@\n-1\n+2\n", "twice"},
		{"hunks backwards", names + "@@ -9 +9 @@\n-9\n+nine\n@@ -1 +1 @@\n-1\n+one\n", "from top to bottom"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := snapshotOf(t, "d/x.go", ten)
			edits, err := s.ReadPatch([]byte(tt.patch))
			if err == nil {
				t.Fatalf("accepted: %+v", edits)
			}
			mustContain(t, "error", err.Error(), tt.want)
		})
	}
}

func TestReadPatchNewFile(t *testing.T) {
	t.Parallel()
	s := snapshotOf(t, "d/x.go", ten)
	edits, err := s.ReadPatch([]byte("diff --git a/d/n.go b/d/n.go\nnew file mode 100644\n--- /dev/null\n+++ b/d/n.go\n@@ -0,0 +1,2 @@\n+package d\n+// end\n\\ No newline at end of file\n" +
		"diff --git a/d/empty b/d/empty\nnew file mode 100644\nindex 0000000..e69de29\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Apply(edits); err != nil {
		t.Fatal(err)
	}
	equal(t, "new file", readFile(t, s.Path("d/n.go")), "package d\n// end")
	equal(t, "empty file", readFile(t, s.Path("d/empty")), "")
}

// A patch made in the module's directory of a larger root.
func TestReadPatchOfModule(t *testing.T) {
	t.Parallel()
	s := snapshotOf(t, "mod/x.go", ten)
	s.Place.Module = filepath.Join(s.Place.Root, "mod")
	edits, err := s.ReadPatch([]byte("--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-1\n+one\n"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "file", edits[0].File, "mod/x.go")
}

func FuzzReadPatch(f *testing.F) {
	f.Add(ten, "--- a/d/x.go\n+++ b/d/x.go\n@@ -4,3 +4,3 @@\n 4\n-5\n+FIVE\n 6\n")
	f.Add("a", "diff --git a/d/x.go b/d/x.go\nold mode 1\n--- a/d/x.go\n+++ b/d/x.go\n@@ -1 +1 @@\n-a\n\\ No newline\n+b\n")
	f.Add(ten, "--- a/d/x.go\n+++ b/d/x.go\n@@ -2147483646 +1 @@\n-5\n+4\n@@ -9,0 +1 @@\n+\n")
	f.Add(ten, "--- a/d/x.go\n+++ b/d/x.go\n@@ -1,2 +1,2 @@\n-2\n+3\n 3\n@@ -1,2 +1,2 @@\n-2\n+3\n 3\n+x\n")
	f.Add(ten, "diff --git a/D/X.go b/D/X.go\nnew file mode 100644\nindex 0..1 120000\n--- /dev/null\n+++ b/./d/../C:\\x\n@@ -0,0 +1 @@\n+x\n")
	f.Add(ten, "diff --git a/.env b/.env\nnew file mode 160000\ncopy from x\nGIT binary patch\nliteral 1\nIcmZ\n\n@@ -1 +1 @@\n-1\n+2\n")
	f.Add(crlf(ten), "\xef\xbb\xbf--- a/d/x.go\r\n+++ b/d/x.go\r\n@@ -1 +1 @@\r\n-1\r\n+2\r\n\\ No newline\r\n")
	f.Add("", "--- /dev/null\n+++ \"b/n\\303\\274\"\n@@ -0,0 +1 @@\n+x\n")
	f.Fuzz(func(t *testing.T, old, patch string) {
		s := snapshotOf(t, "d/x.go", old)
		before := contents(t, s.Dir)
		edits, err := s.ReadPatch([]byte(patch))
		equal(t, "tree after reading", contents(t, s.Dir), before)
		if err != nil {
			// Terminals are safe from what it quotes, and it is short.
			if text := err.Error(); len(text) > 12000 || strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
				t.Fatalf("error of %d bytes: %q", len(text), text)
			}
			return
		}
		for _, e := range edits {
			if !filepath.IsLocal(e.File) || guardedDirectory(e.File) || secretFile(e.File) || strings.Contains(e.File, "..") && e.File != path.Clean(e.File) {
				t.Fatalf("accepted an edit of %q", e.File)
			}
		}
		// What is accepted can be applied, and stays in the tree.
		undo, err := s.Apply(edits)
		if err != nil {
			t.Fatalf("accepted, but: %v", err)
		}
		if err := undo(); err != nil {
			t.Fatal(err)
		}
		equal(t, "undone", readFile(t, s.Path("d/x.go")), old)
		entries, err := os.ReadDir(s.Dir)
		if err != nil || len(entries) != 1 {
			t.Fatalf("undo left %v, %v", entries, err)
		}
	})
}

func TestPatch(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.git(w.root, "checkout", "-qb", "topic")
	w.write("a.go", "package proj\n\nfunc A() int {\n\treturn 2\n}\n")
	w.git(w.root, "commit", "-qam", "two")
	w.write("n.go", "package proj\n")
	w.git(w.root, "add", ".")
	w.git(w.root, "commit", "-qm", "new file")
	w.git(w.root, "checkout", "-q", "main")
	w.write("sub/b.go", "package sub\n")
	w.git(w.root, "commit", "-qam", "meanwhile")
	w.git(w.root, "config", "diff.noprefix", "true")
	w.git(w.root, "config", "color.diff", "always")
	w.git(w.root, "config", "diff.external", "false")
	w.unchanged()
	s := w.take(Options{})
	for ref, want := range map[string][]string{
		"topic":            {"a.go", "n.go"}, // a branch: all it adds
		"topic~0":          {"n.go"},         // a commit: itself
		"main~1..topic~1":  {"a.go"},
		"refs/heads/topic": {"a.go", "n.go"},
	} {
		patch, err := Patch(t.Context(), s.Place, ref)
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		edits, err := s.ReadPatch(patch)
		if err != nil {
			t.Errorf("%s: %v\n%s", ref, err, patch)
			continue
		}
		var got []string
		for _, e := range edits {
			got = append(got, e.File)
		}
		equal(t, ref, got, want)
	}
	for ref, want := range map[string]string{
		"main":         "changes nothing",
		"main~1":       "first commit",
		"gone":         "no commit gone",
		"--output=/x":  "no name of a commit",
		"topic...main": "no commit",
	} {
		_, err := Patch(t.Context(), s.Place, ref)
		if err == nil {
			t.Errorf("%s: no error", ref)
			continue
		}
		mustContain(t, ref, err.Error(), want)
	}
}
