package code

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
)

func TestParseDiff(t *testing.T) {
	const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@ func\n same\n--- a comment in SQL\n-gone\n+++ more\n@@ -9 +8 @@\n-a\n+b\n\\ No newline at end of file\n"
	var kinds []string
	for _, l := range parseDiff(diff) {
		kinds = append(kinds, l.Kind)
	}
	want := []string{"meta", "meta", "meta", "hunk", "same", "del", "del", "add", "hunk", "del", "add", "same"}
	if d := cmp.Diff(want, kinds); d != "" {
		t.Errorf("kinds differ (-want +got):\n%s", d)
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add(specimen.Diff)
	f.Add("@@ -1,99999999999999999999 +, @@\n+\n")
	f.Fuzz(func(t *testing.T, diff string) {
		lines := strings.Count(diff, "\n")
		if !strings.HasSuffix(diff, "\n") && diff != "" {
			lines++
		}
		if got := len(parseDiff(diff)); got != lines {
			t.Errorf("%d lines of %d", got, lines)
		}
	})
}

// flat writes a diff of the page as text: file, numbers, sign, line.
func flat(d Diff) string {
	var b strings.Builder
	for _, f := range d.Files {
		b.WriteString(f.Name + " [" + f.What + "]\n")
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				b.WriteString(l.Old + "|" + l.New + "|" + l.Sign)
				for _, p := range l.Pieces {
					b.WriteString(p.Text)
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String() + d.More
}

func TestNewDiff(t *testing.T) {
	const diff = "diff --git a/d/x.go b/d/x.go\n--- a/d/x.go\n+++ b/d/x.go\n@@ -7,3 +7,2 @@ func f() {\n same\n--- a comment in SQL\n-gone\n+++ more\n" +
		"diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"
	want := "d/x.go []\n7|7| same\n8||−-- a comment in SQL\n9||−gone\n|8|+++ more\nn [new file]\n|1|+x\n||No newline at end of file\n"
	if d := cmp.Diff(want, flat(NewDiff(diff, 100))); d != "" {
		t.Errorf("the diff differs (-want +got):\n%s", d)
	}
	if got := NewDiff(diff, 2); got.More != "4 more lines" {
		t.Errorf("left out: %q", got.More)
	}
	// Without git's own line, and without a prefix.
	if got := flat(NewDiff("--- x.go\n+++ x.go\n@@ -1 +1 @@\n-a\n+b\n--- y\n+++ y\n@@ -1 +1 @@\n-a\n+b\n", 9)); !strings.HasPrefix(got, "x.go []\n1||−a\n|1|+b\ny []\n") {
		t.Errorf("plain diff:\n%s", got)
	}
}

func FuzzNewDiff(f *testing.F) {
	f.Add(specimen.Diff)
	f.Add("@@ -1,99999999999999999999 +, @@\n+\n")
	f.Add("@@ -1,3 +1,3 @@\n\n\\\n+`\n-/*\n ")
	f.Fuzz(func(t *testing.T, diff string) { NewDiff(diff, 50) })
}
