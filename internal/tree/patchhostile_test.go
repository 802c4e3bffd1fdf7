package tree

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// made is a patch that makes one file with one line.
func made(name string) string {
	return "diff --git a/" + name + " b/" + name + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+text\n"
}

// changed is a patch that changes the first line of ten in a file.
func changed(name string) string {
	return "--- a/" + name + "\n+++ b/" + name + "\n@@ -1 +1 @@\n-1\n+one\n"
}

func gz(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func utf16le(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// Patches by whomever, each refused in words that name the file and what to
// do, with the tree as it was.
func TestReadPatchHostile(t *testing.T) {
	t.Parallel()
	mode := func(kind, mode string) string {
		return "diff --git a/d/l b/d/l\n" + kind + " mode " + mode + "\n--- /dev/null\n+++ b/d/l\n@@ -0,0 +1 @@\n+x.go\n\\ No newline at end of file\n"
	}
	tests := []struct{ name, patch, want string }{
		{"whitespace", " \n\t\n\r\n", "the patch is empty"},
		{"garbage", "\x00\x01\x02 nothing\n\xff\xfe", "it is no text"},
		{"words", "please make it faster\n", "changes nothing: give a unified diff"},
		{"compressed", gz(t, changed("d/x.go")), "it is compressed: unpack it"},
		{"PowerShell", utf16le(changed("d/x.go")), "UTF-16"},
		{"colours", "\x1b[1mdiff --git a/d/x.go b/d/x.go\x1b[m\n", "--no-color"},
		{"context diff", "*** a/d/x.go\n--- b/d/x.go\n***************\n*** 1 ****\n! 1\n--- 1 ----\n! one\n", "context diff: use diff -u"},
		{"merge", "diff --cc d/x.go\nindex 1,2..3\n--- a/d/x.go\n+++ b/d/x.go\n@@@ -1,1 -1,1 +1,1 @@@\n- 1\n -2\n++3\n", "combined diff of a merge"},
		{"web page", "<!DOCTYPE html>\n<html>\n", "web page"},
		{"no header", "@@ -1 +1 @@\n-1\n+one\n", "hunks belong to no file"},
		{"counts too few", "--- a/d/x.go\n+++ b/d/x.go\n@@ -1 +1 @@\n-1\n+one\n+two\n", "d/x.go: the hunk at line 3 goes on at line 6"},
		{"too large", strings.Repeat(changed("d/x.go"), 200_000), "8.8 MiB, and 4 MiB is the most that is read"},
		{"stale", "--- a/d/x.go\n+++ b/d/x.go\n@@ -1 +1 @@\n-1\n+one\n@@ -4,3 +4,3 @@\n 4\n-fünf\n+five\n 6\n", `d/x.go: hunk 2 (line 6 of the patch) does not apply: line 5 of the file should be "fünf" and is "5"; make it anew`},
		{"applied already", "--- a/d/x.go\n+++ b/d/x.go\n@@ -4,3 +4,3 @@\n 4\n-fünf\n+5\n 6\n", "its new lines are at line 4 already: is it applied?"},
		{"past the end", "--- a/d/x.go\n+++ b/d/x.go\n@@ -40 +40 @@\n-x\n+y\n", "it changes line 40, and the file has 10"},
		{"at the end", "--- a/d/x.go\n+++ b/d/x.go\n@@ -9,3 +9,3 @@\n 9\n 10\n-11\n+y\n", `the file ends at line 10, where the patch has "11"`},
		{"no newline", "--- a/d/x.go\n+++ b/d/x.go\n@@ -10 +10 @@\n-10\n\\ No newline at end of file\n+ten\n", `should be "10" (without a newline) and is "10"`},
		{"control characters in lines", "--- a/d/x.go\n+++ b/d/x.go\n@@ -1 +1 @@\n-\x1b]0;own\x07\n+one\n", `should be "\x1b]0;own\a" and is`},
		{"many hunks do not fit", "--- a/d/x.go\n+++ b/d/x.go\n" + strings.Repeat("@@ -1 +1 @@\n-no\n+one\n", 1000), "and 995 more"},

		{"parent", changed("../x.go"), "leads out"},
		{"parent within", changed("d/../d/x.go"), "leads out"},
		{"makes in parent", made("d/../../x.go"), "leads out"},
		{"parent from the module", "--- a/x\n+++ ../x.go\n@@ -1 +1 @@\n-1\n+one\n", "leads out"},
		{"parent, quoted", "--- /dev/null\n+++ \"b/\\056\\056/x.go\"\n@@ -0,0 +1 @@\n+x\n", "leads out"},
		{"absolute", "--- /dev/null\n+++ /etc/cron.d/x\n@@ -0,0 +1 @@\n+x\n", "/etc/cron.d/x: the name is an absolute path"},
		{"absolute behind a prefix", made("/etc/cron.d/x"), "absolute"},
		{"drive", made("C:/x.go"), "absolute"},
		{"drive without prefix", "--- /dev/null\n+++ C:\\x.go\n@@ -0,0 +1 @@\n+x\n", "absolute"},
		{"network share", "--- /dev/null\n+++ \\\\server\\share\\x.go\n@@ -0,0 +1 @@\n+x\n", "absolute"},
		{"backslashes", made(`d\..\..\x.go`), "leads out"},
		{"backslash", made(`d\n.go`), "write forward slashes"},
		{"through a symlinked directory", changed("out/x.go"), "through out, a symlink of the tree"},
		{"makes through a symlinked directory", made("out/y.go"), "through out, a symlink of the tree"},
		{"of a symlink", changed("l.go"), "through l.go, a symlink of the tree"},
		{"git's directory", changed(".git/config"), "never edited"},
		{"git's directory, by any name", made("GIT~1/hooks/pre-commit"), "never edited"},
		{"git's directory on Windows", made(".git./config"), "never edited"},
		{"git's directory on macOS", made(".g\u200cit/config"), "cannot be printed"},
		{"git's directory as a stream", made(".git::$INDEX_ALLOCATION/config"), "never edited"},
		{"pawl's directory", made(".pawl/journal.jsonl"), "never edited"},
		{"pawl's directory, upper case", made("d/.PAWL/x"), "never edited"},
		{"another module", changed("d/inner/x.go"), "it belongs to another module, in d/inner: run pawl there"},
		{"a directory", made("d"), "d: not a regular file"},
		{"below a file", made("d/x.go/y"), "not a directory"},
		{"control characters", "--- /dev/null\n+++ \"b/d/\\033[2Jx.go\"\n@@ -0,0 +1 @@\n+x\n", "cannot be printed"},
		{"bidirectional", made("d/x\u202eog.go"), "cannot be printed"},
		{"not UTF-8", "--- /dev/null\n+++ \"b/d/\\377.go\"\n@@ -0,0 +1 @@\n+x\n", "cannot be printed"},
		{"case of a file", made("d/X.go"), "d/X.go: it makes this file, whose name is that of d/x.go but for case"},
		{"case of a directory", made("D/y.go"), "whose name is that of d but for case"},
		{"case within the patch", made("d/n.go") + made("d/N.go"), "d/N.go: its name is that of d/n.go but for case"},
		{"no name", "--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+x\n", "names no file"},

		{"binary", "diff --git a/d/x.go b/d/x.go\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n", "d/x.go: it changes a binary file"},
		{"new binary", "diff --git a/d/b b/d/b\nnew file mode 100644\nindex 0..2\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\n", "d/b: it changes a binary file"},
		{"makes a symlink", mode("new file", "120000"), "d/l: it makes a symlink"},
		{"file to symlink", "diff --git a/d/x.go b/d/x.go\nold mode 100644\nnew mode 120000\n", "changes a symlink"},
		{"makes a submodule", mode("new file", "160000"), "changes a submodule"},
		{"moves a submodule", "diff --git a/m b/m\nindex 1..2 160000\n--- a/m\n+++ b/m\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n", "m: it changes a submodule"},
		{"setuid", mode("new file", "104755"), "104755"},
		{"copy", "diff --git a/d/x.go b/d/y.go\nsimilarity index 100%\ncopy from d/x.go\ncopy to d/y.go\n", "copies a file: git diff --no-renames"},
		{"rename out", "diff --git a/d/x.go b/../y.go\nsimilarity index 100%\nrename from d/x.go\nrename to ../y.go\n", "renames the file"},

		{"environment", made(".env"), ".env: a file of this name holds secrets"},
		{"key", changed("d/server.key"), "d/server.key: a file of this name holds secrets"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := snapshotOf(t, "d/x.go", ten)
			for name, text := range map[string]string{"d/inner/go.mod": "module inner\n", "d/inner/x.go": ten, "d/server.key": ten, ".git/config": ten} {
				writeTest(t, s.Path(name), text)
			}
			outside := t.TempDir()
			writeTest(t, filepath.Join(outside, "x.go"), ten)
			for name, to := range map[string]string{"out": outside, "l.go": filepath.Join(outside, "x.go")} {
				if err := os.Symlink(to, s.Path(name)); err != nil {
					t.Skip("no symlinks here: ", err)
				}
			}
			before := contents(t, s.Dir)
			patch := tt.patch
			edits, err := s.ReadPatch([]byte(patch))
			if err == nil {
				t.Fatalf("accepted: %+v", edits)
			}
			text := err.Error()
			mustContain(t, "error", text, tt.want)
			if len(text) > 2000 || strings.ContainsAny(text, "\x1b\x07\u202e\r") {
				t.Errorf("error of %d bytes: %q", len(text), text)
			}
			equal(t, "tree", contents(t, s.Dir), before)
			equal(t, "outside", contents(t, outside), map[string]string{"x.go": ten})
		})
	}
}

// Odd, but fine.
func TestReadPatchOdd(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, patch string }{
		{"byte order mark", "d/x.go", "\xef\xbb\xbf" + changed("d/x.go")},
		{"a name in another script", "größe/日本.go", changed("größe/日本.go")},
		{"a name in octal", "ü.go", "--- \"a/\\303\\274.go\"\n+++ \"b/\\303\\274.go\"\n@@ -1 +1 @@\n-1\n+one\n"},
		{"blanks", "a file/x y.go", "--- a/a file/x y.go\t\n+++ b/a file/x y.go\t\n@@ -1 +1 @@\n-1\n+one\n"},
		{"dots", "a..b/..x...go", changed("a..b/..x...go")},
		{"signature", "d/x.go", changed("d/x.go") + "--\n2.39\n"},
		{"a directory named a", "a/x.go", "--- a/x.go\n+++ a/x.go\n@@ -1 +1 @@\n-1\n+one\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := snapshotOf(t, tt.file, ten)
			edits, err := s.ReadPatch([]byte(tt.patch))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Apply(edits); err != nil {
				t.Fatal(err)
			}
			equal(t, "file", readFile(t, s.Path(tt.file)), "one"+ten[1:])
		})
	}
}

// A change stays in its module, whatever else the repository holds.
func TestReadPatchOtherModule(t *testing.T) {
	t.Parallel()
	s := snapshotOf(t, "mod/x.go", ten)
	writeTest(t, s.Path("lib/x.go"), ten)
	s.Place.Module = filepath.Join(s.Place.Root, "mod")
	for patch, want := range map[string]string{
		changed("lib/x.go"):    "lib/x.go: it is outside the module in mod",
		changed("../lib/x.go"): "leads out",
		made("lib/y.go"):       "outside the module",
	} {
		if _, err := s.ReadPatch([]byte(patch)); err == nil {
			t.Errorf("accepted: %s", patch)
		} else {
			mustContain(t, "error", err.Error(), want)
		}
	}
}

// As many hunks as fit into a patch, each moved or fitting nowhere,
// in a file as long. With a search of the whole file for each this takes
// hours: the test would not end.
func TestReadPatchManyHunks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads megabytes")
	}
	const n = 60_000
	var file, good, bad strings.Builder
	good.WriteString("--- a/d/x.go\n+++ b/d/x.go\n")
	bad.WriteString(good.String())
	for i := range n {
		fmt.Fprintf(&file, "a\nb\na\n%d\n", i)
		fmt.Fprintf(&good, "@@ -%d +%d @@\n-%d\n+-%d\n", 4*i+2, 4*i+2, i, i) // two lines off, all alike
		fmt.Fprintf(&bad, "@@ -%d,2 +%d,2 @@\n a\n-a\n+c\n", 4*i+1, 4*i+1)
	}
	s := snapshotOf(t, "d/x.go", file.String())
	edits, err := s.ReadPatch([]byte(good.String()))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "edits", len(edits), n)
	if _, err := s.ReadPatch([]byte(bad.String())); err == nil {
		t.Error("accepted")
	} else {
		mustContain(t, "error", err.Error(), "hunk 1 (line 3", "and 59995 more")
	}
	// One run of changed lines, as long as it may be.
	long := "--- /dev/null\n+++ b/d/y.go\n@@ -0,0 +1,1500000 @@\n" + strings.Repeat("+\n", 1_500_000)
	edits, err = s.ReadPatch([]byte(long))
	if err != nil || len(edits) != 1 || len(edits[0].New) != 1_500_000 {
		t.Errorf("%d edits, %v", len(edits), err)
	}
	grown := "--- a/d/x.go\n+++ b/d/x.go\n@@ -1 +1,1500001 @@\n a\n" + strings.Repeat("+\n", 1_500_000)
	edits, err = s.ReadPatch([]byte(grown))
	if err != nil || len(edits) != 1 || len(edits[0].New) != 1_500_000 {
		t.Errorf("%d edits, %v", len(edits), err)
	}
}

func TestOpenPatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small"), filepath.Join(dir, "large")
	writeTest(t, small, changed("d/x.go"))
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(10<<30), f.Close()); err != nil {
		t.Skip("no sparse files here: ", err)
	}
	if data, err := OpenPatch(small); err != nil || string(data) != changed("d/x.go") {
		t.Errorf("%q, %v", data, err)
	}
	for name, want := range map[string]string{large: "10240.0 MiB, and 16 MiB", dir: "is a directory", filepath.Join(dir, "gone"): "gone"} {
		if _, err := OpenPatch(name); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			mustContain(t, name, err.Error(), want)
		}
	}
}

func TestSecretFile(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".env", ".env.local", "deploy/prod.env", "server.pem", "a/b/TLS.KEY", "id_rsa", "x/id_ed25519", ".netrc", "_netrc", ".npmrc",
		".git-credentials", "credentials", "credentials.json", "secrets.yaml", "service-account.json", ".aws/config", "home/.ssh/config", "cert.p12", ".docker/config.json",
		"terraform.tfvars", "x.tfstate", "kubeconfig", "testdata/server.key", ".envrc"} {
		if !secretFile(name) {
			t.Errorf("%s is not taken for secret", name)
		}
	}
	for _, name := range []string{"a.go", "key.go", "credentials.go", "secret/secret.go", "id_rsa.pub", ".env.example", ".env.sample", "environment.txt", "keys.txt",
		"token.go", "docs/secrets.md", "config.json", "key", "pem.s", "public.crt", "env", "monkey", "go.sum", "Makefile", ".github/workflows/ci.yml"} {
		if secretFile(name) {
			t.Errorf("%s is taken for secret", name)
		}
	}
}
