package claims

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// sampleReport returns one result of each kind.
func sampleReport() *model.Evidence {
	r := &model.Evidence{Started: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Env: model.Environment{GoVersion: "go1.26.8", GOOS: "linux", GOARCH: "amd64", CPU: "a processor"}}
	judged := &model.Verdict{Metric: "cpu/op"}
	r.Results = []model.EvidenceResult{
		{Rule: "first", IDs: []string{"C01", "C02"}, Metric: "allocs", Claimed: "fewer | allocations", Verdict: model.EvidenceHolds, Ratio: 4.9, RatioLo: 4.8, RatioHi: 5, Judged: judged, Counts: counts(1, 0, 96, 0)},
		{Rule: "second", IDs: []string{"C03"}, Metric: "cpu", ClaimedRatio: 7.5, Claimed: "faster", Verdict: model.EvidenceNotThere, Why: "cpu/op: a gain of 3 % or more is excluded", Ratio: 1, Judged: judged, Counts: noisy(counts(12.5, 12, 100, 90))},
		{Rule: "third", IDs: []string{"C04"}, Metric: "cpu", Claimed: "faster", Verdict: model.EvidenceFailed, Why: "before and after differ:\n  x.go:1: wrong"},
	}
	r.Exempt = []model.EvidenceExemption{
		{Rule: "fourth", IDs: []string{"C55"}, Why: "obsolete", NoRule: true},
		{Rule: "fifth", IDs: []string{"C56"}, Why: "it waits"}, {Rule: "sixth", IDs: []string{"C57"}, Why: "it waits"},
	}
	return r
}

// Few entries without a rule are given with their reasons, many by name only.
func TestGroups(t *testing.T) {
	r := sampleReport()
	if got := groups(r.Exempt); len(got) != 2 || got[0].why != "obsolete" {
		t.Errorf("%+v", got)
	}
	for range fewMissing {
		r.Exempt = append(r.Exempt, model.EvidenceExemption{Rule: "x", IDs: []string{"C99"}, Why: "not yet", NoRule: true})
	}
	got := groups(r.Exempt)
	if len(got) != 2 || got[0].why != "it waits" || len(got[1].rules) != fewMissing+1 || !strings.HasPrefix(got[1].names("%s (%s)"), "C55, C99") {
		t.Errorf("%+v", got)
	}
}

func TestWriteText(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, sampleReport(), sheet.Options{ASCII: true}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, line := range []string{
		"The evidence of 3 rules: 1 holds, the gain of 1 is not there, 1 failed.\n", "x is before / after",
		"cpu/op 4.90x [4.80, 5.00]", "1 -> 0", "96 -> 0", "~12.50 -> ~12", "cpu 7.50x", "    ! cpu/op: a gain of 3 % or more is excluded\n",
		"    ! x.go:1: wrong\n", "  fourth (C55): obsolete\n", "  fifth (C56), sixth (C57): it waits\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("%q is missing in\n%s", line, got)
		}
	}
}

// On a narrow terminal there are no bytes.
func TestNarrow(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, sampleReport(), sheet.Options{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Contains(got, "96 → 0") || !strings.Contains(got, "1 → 0 ") {
		t.Errorf("got\n%s", got)
	}
	if _, table, _ := strings.Cut(b.String(), "\n\n"); utf8.RuneCountInString(strings.SplitN(table, "\n", 2)[0]) > 80 {
		t.Errorf("the head is wider than 80 columns:\n%s", table)
	}
}

// sampleClaims are of the rules of sampleReport, and one that it does not know.
func sampleClaims() []Claim {
	claim := func(name, metric, claimed, exempt string, ids ...string) Claim {
		return Claim{
			EvidenceResult: model.EvidenceResult{Rule: name, IDs: ids, Metric: metric, Claimed: claimed}, Exempt: exempt,
			Ends: func(string) string { return "" },
		}
	}
	ended := claim("ended", "cpu", "faster once", "", "C05")
	ended.Ends = func(v string) string {
		if v == "go1.26.8" {
			return ""
		}
		return "it holds to go1.26, and this is " + v
	}
	transformation := claim("pool", "allocs", "none", "", "C04")
	transformation.Transformation = true
	missing := claim("fourth", "", "", "obsolete", "C55")
	missing.Missing = true
	return []Claim{
		claim("first", "allocs", "fewer | allocations", "", "C01", "C02"), claim("second", "cpu", "faster", "", "C03"), claim("third", "cpu", "faster", "", "C04"),
		ended, transformation, claim("fifth", "", "", "it waits", "C56"), claim("sixth", "", "", "it waits", "C57"), missing,
	}
}

func markdown(t *testing.T, runs ...*model.Evidence) string {
	t.Helper()
	var b bytes.Buffer
	if err := NewPage(sampleClaims(), runs...).WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func holds(t *testing.T, page string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(page, line) {
			t.Errorf("%q is missing in\n%s", line, page)
		}
	}
}

func TestWriteMarkdown(t *testing.T) {
	holds(t, markdown(t, sampleReport()),
		"# Evidence\n", "    pawl evidence -markdown", "Measured 2026-11-21 with go1.26.8 linux/amd64 on a processor",
		"| [first](rules.md#first) | C01 C02 | allocs: fewer \\| allocations | cpu/op 4.90x [4.80, 5.00] | 1 → 0, 96 → 0 | holds |\n",
		"| **not there** |\n", "- second, demoted on go1.26.8: cpu/op", "- third on go1.26.8: before and after differ.\n",
		"| [pool](transformations.md#pool) | C04 | allocs: none | | | not measured |\n",
		"| it waits | [fifth](rules.md#fifth) (C56), [sixth](rules.md#sixth) (C57) |\n", "| obsolete | [fourth](rules.md#fourth) (C55) |\n",
	)
}

func TestSameCounts(t *testing.T) {
	newer := sampleReport()
	newer.Env.GoVersion = "go1.27.4"
	holds(t, markdown(t, sampleReport(), newer), "| 1 → 0, 96 → 0 | holds | cpu/op 4.90x [4.80, 5.00] | same | holds |\n")
}

// Releases stand side by side in their order. What was measured again with one
// of them takes the place of what was there, and what was not measured says so.
func TestReleasesSideBySide(t *testing.T) {
	old, newer, again := sampleReport(), sampleReport(), sampleReport()
	newer.Env.GoVersion = "go1.27.4"
	newer.Results = []model.EvidenceResult{{Rule: "first", Verdict: model.EvidenceNotThere, Why: "a gain is excluded"}}
	again.Results = []model.EvidenceResult{{Rule: "second", Verdict: model.EvidenceHolds}, {Rule: "ended", Verdict: model.EvidenceHolds}}
	page := markdown(t, newer, old, again)
	holds(t, page,
		"| rule | ids | claimed | go1.26.8 | allocs/op, B/op | verdict | go1.27.4 | allocs/op, B/op | verdict |\n|---|---|---|---|---|---|---|---|---|\n",
		"| cpu/op 4.90x [4.80, 5.00] | 1 → 0, 96 → 0 | holds |  |  | **not there** |\n",
		"| [second](rules.md#second) | C03 | cpu: faster |  |  | holds | | | not measured |\n",
		"- first, demoted on go1.27.4: a gain is excluded.\n", "- third on go1.26.8: ",
		"- ended is silent on go1.27.4: it holds to go1.26, and this is go1.27.4.\n",
	)
	if n := strings.Count(page, "\nMeasured 2026-11-21 with go1.2"); n != 2 || !strings.Contains(page, ", in 0s at a load of 0.0, then 0s at a load of 0.0. The evidence of 4 rules: 3 hold, 1 failed.") {
		t.Errorf("%d releases are named, want 2, and one of two runs:\n%s", n, page)
	}
}

func counts(a0, a1, b0, b1 float64) []model.Exact {
	return []model.Exact{{Metric: "allocs/op", Before: a0, After: a1, Tolerance: 0.01}, {Metric: "B/op", Before: b0, After: b1, Tolerance: 0.5}}
}

func noisy(e []model.Exact) []model.Exact {
	for i := range e {
		e[i].Noisy = true
	}
	return e
}
