package runs

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// A change that was undecided and is tried again counts once.
func TestTriedAgain(t *testing.T) {
	r := specimen.Run()
	all := specimen.Outcomes()
	again := all[2]
	again.Outcome = model.Kept
	r.Attempts = []model.Attempt{all[2], again}
	if got := summary(r); got != "1 change tried and kept." {
		t.Error(got)
	}
}

// What try says first is the verdict, and of one that is open the estimate so
// far; the page shows it, and not what is now.
func TestTrySaysTheVerdictFirst(t *testing.T) {
	for _, tt := range []struct {
		attempt model.Attempt
		want    string
	}{
		{specimen.Outcomes()[0], "Kept: allocs/op 5 → 4."},
		{specimen.Outcomes()[1], "Kept, not compared: allocs/op 4 → 3."},
		{specimen.Outcomes()[2], "Undecided: −20.9 % CPU time so far; too few runs to rule out a slowdown of more than 3.0 %."},
		{specimen.Outcomes()[3], "Refused: slower by 2.1 %."},
		{specimen.Tried("e", "x", "THE GUARDED", model.RolledBack, "refused: m.go:1: state: x", 0, 0, 0, 0), "Refused: m.go:1: state: x."},
		{model.Attempt{Outcome: model.Unsettled, Reason: "not covered: x", Verdicts: []model.Verdict{{Benchmark: specimen.Write, Metric: "cpu/op", Lo: -1, Hi: 1e6}}}, "Undecided: not covered: x."},
	} {
		r := specimen.NothingKept()
		r.Verb, r.Attempts = "try", []model.Attempt{tt.attempt}
		got := specimen.Written(t, func(b *bytes.Buffer) error { return Text(b, r, sheet.Options{Width: 200}) })
		if first, _, _ := strings.Cut(got, "\n"); first != tt.want {
			t.Errorf("begins with %q, want %q", first, tt.want)
		}
		page := specimen.Written(t, func(b *bytes.Buffer) error { return HTML(b, r, Extra{}) })
		_, head, _ := strings.Cut(page, "<h1>")
		head, below, _ := strings.Cut(head, "</h1>")
		below, _, _ = strings.Cut(below, "<nav")
		if strings.Contains(below, strings.TrimSuffix(head, ".")) {
			t.Errorf("%s: the page repeats its heading:\n%s", tt.want, below)
		}
		if _, rest, more := strings.Cut(tt.want, "; too few"); more && !strings.Contains(below, "Too few"+strings.TrimSuffix(rest, "3.0 %.")) {
			t.Errorf("%s: the rest is missing:\n%s", tt.want, below)
		}
		measured := !tt.attempt.Outcome.Kept() && figure.Known(tt.attempt.Verdicts[0])
		if asIs := strings.Contains(page, "<th>time per op</th>"); asIs == measured && !tt.attempt.Outcome.Kept() {
			t.Errorf("%s: as it is: %v", tt.want, asIs)
		}
		if strings.Contains(page+got, "0 % interval open") || strings.Contains(got, "cpu 0 %") {
			t.Errorf("%s: what is not known is printed as 0 %%:\n%s", tt.want, got)
		}
	}
}
