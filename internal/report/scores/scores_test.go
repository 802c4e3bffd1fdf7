package scores

import (
	"errors"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

func scoreSample() *model.Score {
	full, half := 1.0, 0.5
	right := &model.Target{At: model.Pos{File: "a|b.go", Line: 7}, Reason: model.Reason{Kind: model.ReasonEscape, Text: "x escapes to heap"}}
	return &model.Score{Rows: []model.Scored{
		{ID: "good", Bench: "^BenchmarkA$", Targets: 4, Rank: 1, InFunc: 1, Right: right, Reachable: true, Tried: 2, Kept: []string{"p: do less"},
			AllocPart: &full, CPUPart: &half, Verdict: model.ScoreKept, Why: "allocs/op 1 → 0", Expected: "KEEP", Accepted: true, Seconds: 61},
		{ID: "consent", Bench: "^BenchmarkB$", Targets: 4, Rank: 4, InFunc: 2, Right: right, Reachable: true, AllocPart: &half, Verdict: model.ScoreIfAllowed,
			Needs: []model.SuspicionKind{model.SuspectState}, Why: "refused: state\nmore", Expected: "KEEP", Accepted: true, Notes: []string{"a go.mod was made"}},
		{ID: "wrong", Bench: "^BenchmarkC$", Targets: 2, Reachable: true, Verdict: model.ScoreNoEffect, Why: "no worthwhile effect", Expected: "KEEP", Broken: "TestC"},
		{ID: "trap", Bench: "^BenchmarkD$", Targets: 2, Verdict: model.ScoreNotCovered, Why: "not covered", Expected: "INCONCLUSIVE", Accepted: true},
		{ID: "none", Verdict: model.ScoreNoBenchmark, Why: "the row names no benchmark", Expected: "REJECT", Accepted: true},
		{ID: "cut", Bench: "^BenchmarkE$", Reachable: true, Verdict: model.ScoreKept, Why: "allocs/op 2 → 1", Expected: "KEEP", Accepted: true, Stopped: "interrupted"},
		{ID: "lost", Failed: "there is no mirror\x1b[2J"},
	}}
}

func TestScoreText(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, scoreSample(), sheet.Options{Width: 80}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"✓ good", "1 of 4: a|b.go:7, escape: x escapes to heap", "1 of 2 kept, 100 % of upstream's allocation gain, 50 % of its\n",
		"kept if allowed (-allow state): refused: state\n", "2 in its function, the line itself is 4", "✗ wrong", "BROKEN", "no effect, and the corpus has KEEP",
		"not among the 2 targets", "none: no benchmark runs what the fix changes", "none: there is no benchmark", "- lost",
		"✓ cut", "unattended  interrupted; -resume goes on", "6 of 7 rows scored", "right line among the first 3: 1 of 3 that a benchmark reaches; right function: 2",
		"upstream's allocation gain: 1 of 2", "acceptable: 5 of 6; not of wrong", "behaviour broken by what was kept: 1",
	} {
		if !strings.Contains(strings.ReplaceAll(text, "\n                ", " "), want) && !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Error("a message reaches the terminal as it is")
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestScoreMarkdown(t *testing.T) {
	var b strings.Builder
	if err := Markdown(&b, scoreSample()); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "| ") {
			rows++
			if n := strings.Count(line, "|") - strings.Count(line, `\|`); n != 10 {
				t.Errorf("%d bars: %s", n, line)
			}
		}
	}
	if rows != 8 || !strings.Contains(b.String(), "consent: a go.mod was made") || !strings.Contains(b.String(), "4 (2)") {
		t.Errorf("%d rows in\n%s", rows, b.String())
	}
}

// A gain that the last comparison had no time for is not known: it is no 0 %.
func TestScoreOfAnOpenGain(t *testing.T) {
	full := 1.0
	sc := &model.Score{Rows: []model.Scored{{
		ID: "late", Bench: "^BenchmarkE$", Tried: 1, Kept: []string{"p: do less"}, AllocPart: &full, Verdict: model.ScoreKept, Accepted: true,
		Own: []model.ScoreGain{{Verdict: &model.Verdict{Answer: model.Undecided, Lo: -1, Hi: 1e6}}},
	}}}
	var text, table strings.Builder
	if err := errors.Join(Text(&text, sc, sheet.Options{Width: 120}), Markdown(&table, sc)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "allocation gain, the gain of CPU time not known") || !strings.Contains(table.String(), "| 100 % | ? |") {
		t.Errorf("%s\n%s", &text, &table)
	}
}
