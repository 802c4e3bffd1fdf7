package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawl-dev/pawl/internal/model"
)

// flat writes a diff of the page as text: file, numbers, sign, line.
func flat(d pageDiff) string {
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
	if d := cmp.Diff(want, flat(newDiff(diff, 100))); d != "" {
		t.Errorf("the diff differs (-want +got):\n%s", d)
	}
	if got := newDiff(diff, 2); got.More != "4 more lines" {
		t.Errorf("left out: %q", got.More)
	}
	// Without git's own line, and without a prefix.
	if got := flat(newDiff("--- x.go\n+++ x.go\n@@ -1 +1 @@\n-a\n+b\n--- y\n+++ y\n@@ -1 +1 @@\n-a\n+b\n", 9)); !strings.HasPrefix(got, "x.go []\n1||−a\n|1|+b\ny []\n") {
		t.Errorf("plain diff:\n%s", got)
	}
}

func FuzzNewDiff(f *testing.F) {
	f.Add(sampleDiff)
	f.Add("@@ -1,99999999999999999999 +, @@\n+\n")
	f.Add("@@ -1,3 +1,3 @@\n\n\\\n+`\n-/*\n ")
	f.Fuzz(func(t *testing.T, diff string) { newDiff(diff, 50) })
}

// A change says why the lines cost that it aimed at, each once.
func TestWhys(t *testing.T) {
	at := model.Pos{File: "a.go", Line: 7}
	grow := model.Reason{Kind: model.ReasonAppend, Text: "append has to grow its slice"}
	got := newWhys([]model.Target{
		{At: at, Resource: model.Allocs, Share: 0.16, Reason: grow}, {At: at, Resource: model.Allocs, Share: 0.12, Reason: grow},
		{At: at, Resource: model.CPU, Share: 0.4}, // not known
	})
	want := []pageWhy{{"a.go:7", "16 % of allocs", grow.Text}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r := sampleRun()
	r.Attempts[0].Change.Targets = []model.Target{{At: at, Resource: model.Allocs, Share: 0.16, Reason: grow}}
	if page := html(t, r); !strings.Contains(page, grow.Text) {
		t.Error("the page does not say why the change was tried")
	}
}
