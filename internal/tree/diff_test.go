package tree

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestUnified(t *testing.T) {
	t.Parallel()
	old := lines("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k")
	tests := []struct{ name, rel, old, new, want string }{
		{"nothing", "x", old, old, ""},
		{"one line", "x", old, strings.Replace(old, "e\n", "E\n", 1),
			lines("diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -2,7 +2,7 @@", " b", " c", " d", "-e", "+E", " f", " g", " h")},
		{"two hunks", "d/x y", old, "0\n" + old + "l\n",
			"diff --git a/d/x y b/d/x y\n--- a/d/x y\t\n+++ b/d/x y\t\n" + lines("@@ -1,3 +1,4 @@", "+0", " a", " b", " c", "@@ -9,3 +10,4 @@", " i", " j", " k", "+l")},
		{"no newline", "x", "a\nb", "a\nb\n",
			lines("diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", " a", "-b", `\ No newline at end of file`, "+b")},
		{"emptied", "x", "a\n", "", lines("diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1 +0,0 @@", "-a")},
		{"filled", "x", "", "a\n", lines("diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -0,0 +1 @@", "+a")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			equal(t, "diff", unified(tt.rel, []byte(tt.old), true, []byte(tt.new), true), tt.want)
		})
	}
}

// The tools that a user has must take our diffs.
func TestUnifiedWithTools(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	var patches strings.Builder
	want := map[string]string{}
	names := []string{"plain.go", "with blank.go", "quo\"te.go", "ümlaut.go", "back\\slash.go"}
	for i := range 60 {
		rel := fmt.Sprintf("d%d/%s", i, names[i%len(names)])
		old, new := randomText(rng), randomText(rng)
		if i%7 == 0 {
			old = crlf(old)
		}
		hadOld := i%9 != 0
		if hadOld {
			writeTest(t, filepath.Join(dir, rel), old)
		} else {
			old, new = "", "new\n"+new
		}
		want[rel] = new
		patches.WriteString(unified(rel, []byte(old), hadOld, []byte(new), true))
	}
	for _, tool := range [][]string{{"git", "apply", "-"}, {"patch", "-p1", "--silent", "--binary"}} {
		t.Run(tool[0], func(t *testing.T) {
			if _, err := exec.LookPath(tool[0]); err != nil {
				t.Skip(tool[0], " is not installed")
			}
			copied := t.TempDir()
			if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(tool[0], tool[1:]...)
			cmd.Dir = copied
			cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(copied))
			cmd.Stdin = strings.NewReader(patches.String())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for rel, text := range want {
				got, err := os.ReadFile(filepath.Join(copied, rel))
				if string(got) != text && (text != "" || err == nil) {
					t.Errorf("%s: %q, want %q (%v)", rel, got, text, err)
				}
			}
		})
	}
}

func writeTest(t *testing.T, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// randomText has few different lines, so that there is much to match.
func randomText(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(40) {
		fmt.Fprintf(&b, "line %d\n", rng.IntN(6))
	}
	if rng.IntN(3) == 0 {
		return strings.TrimSuffix(b.String(), "\n")
	}
	return b.String()
}

func TestDiffIsShortest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		x, y := splitLines([]byte(randomText(rng))), splitLines([]byte(randomText(rng)))
		n := 0
		for _, r := range diffLines(x, y) {
			n += r.A1 - r.A0 + r.B1 - r.B0
		}
		if want := len(x) + len(y) - 2*lcs(x, y); n != want {
			t.Fatalf("%d lines change, %d need to:\n%q\n%q", n, want, x, y)
		}
	}
}

// lcs is the textbook's table.
func lcs(x, y []string) int {
	row := make([]int, len(y)+1)
	for i := range x {
		diag := 0
		for j := range y {
			up := row[j+1]
			if x[i] == y[j] {
				row[j+1] = diag + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diag = up
		}
	}
	return row[len(y)]
}

// Two long texts with nothing in common must not take the memory that the
// shortest script would.
func TestDiffOfStrangers(t *testing.T) {
	t.Parallel()
	var x, y strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&x, "x%d\n", i)
		fmt.Fprintf(&y, "y%d\n", i)
	}
	equal(t, "regions", diffLines(splitLines([]byte(x.String())), splitLines([]byte(y.String()))), []region{{0, 5000, 0, 5000}})
}

// snapshotOf returns a snapshot with one file, without git.
func snapshotOf(t *testing.T, rel, data string) *Snapshot {
	t.Helper()
	dir := t.TempDir()
	writeTest(t, filepath.Join(dir, filepath.FromSlash(rel)), data)
	return &Snapshot{Dir: dir, ModuleDir: dir, Place: &Place{Root: dir, Module: dir}, in: belowOf(t, dir), base: map[string]*original{}}
}

func FuzzDiffRoundTrip(f *testing.F) {
	f.Add("a\nb\nc\n", 2, 3, "B\n")
	f.Add("a\r\nb\r\nc", 0, 0, "x")
	f.Add("", 0, 0, "x\n\n\n")
	f.Add("\r", 0, 1, "0") // a CR that is no part of a line's end
	f.Add("a\n\n\n\n\n\n\n\nb\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n", 1, 1, "diff --git a/x b/y\n")
	f.Fuzz(func(t *testing.T, old string, start, end int, text string) {
		if start < 0 || end < start || end > len(old) {
			t.Skip()
		}
		new, err := splice([]byte(old), []model.Edit{{Start: start, End: end, New: text}})
		if err != nil {
			t.Fatal(err)
		}
		diff := unified("d/x.go", []byte(old), true, new, true)
		if diff == "" {
			if string(new) != old {
				t.Fatal("no diff of a change")
			}
			return
		}
		files, err := parsePatch([]byte(diff))
		if err != nil || len(files) != 1 || files[0].new != "b/d/x.go" {
			t.Fatalf("%+v, %v\n%s", files, err, diff)
		}
		edits, err := files[0].edits("d/x.go", splitLines([]byte(old)), endings[0], newSearch())
		if err != nil {
			t.Fatalf("%v\n%s", err, diff)
		}
		got, err := splice([]byte(old), edits)
		if err != nil || string(got) != string(new) {
			t.Fatalf("%q became %q, want %q (%v)\n%s", old, got, new, err, diff)
		}
	})
}

func belowOf(t *testing.T, dir string) *below {
	t.Helper()
	in, err := openBelow(dir)
	if err != nil {
		t.Fatal(err)
	}
	return in
}
