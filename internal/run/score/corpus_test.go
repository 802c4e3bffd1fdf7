package score

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

const head = "id\trepo\tmodule_path\tparent_commit\tfix_commit\tpackage\tbenchmark\texpected_verdict\tacceptable_verdicts\n"

func TestReadCorpus(t *testing.T) {
	const a, b = "0123456789abcdef", "fedcba9876543210"
	text := head +
		"one\tgithub.com/o/n\texample.com/m\t" + a + "\t" + b + "\tvm/runtime (bench in .)\tBenchmarkA|BenchmarkB\tKEEP only if pinned\t\n" +
		"# a comment\n\n" +
		"two\tgithub.com/o/n\t\t" + a + "\t" + b + "\tx\tBenchmarkC/With_labels(x)\tREJECT\tno effect, INCONCLUSIVE\r\n" +
		"three\tgithub.com/o/n\t\t" + a + "\t" + b + "\tx\t(none for Write)\tREJECT (value)\t\n" +
		"one\tgithub.com/o/n\t\t" + a + "\t" + b + "\tx\tBenchmarkC\tKEEP\t\n" +
		"four\tgithub.com/o/n\t\tHEAD\t" + b + "\tx\tBenchmarkC\tKEEP\t\n" +
		"five\tgithub.com/o/n\t\t" + a + "\t" + b + "\t../x\tBenchmarkC\tKEEP\t\n" +
		"six\tgithub.com/o/n\t\t" + a + "\t" + b + "\tx\tbench me\tKEEP\t\n" +
		"seven\tgithub.com/o/n\t\t" + a + "\t" + b + "\tx\tBenchmarkC\tperhaps\t\n" +
		"eight\tgithub.com/o/n\t\t" + a + "\t" + b + "\tx\tBenchmarkC\tKEEP\tmaybe\n" +
		"nine\n" +
		"eleven\tgithub.com/o/n\texample.com/m\tv1.2.3\t" + b + "^\texample.com/m/sub/x/\t^BenchmarkC$, BenchmarkD/e\tUNDECIDED\n" +
		"ten\t../../etc\t\t" + a + "\t" + b + "\tx\tBenchmarkC\tKEEP\t\n"
	rows, err := ReadCorpus(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	type short struct {
		ID, Package, Bench, In string
		Accept                 int
		Bad                    bool
	}
	var got []short
	for _, r := range rows {
		got = append(got, short{r.ID, r.Package, r.Bench, r.BenchPackage, len(r.Accept), r.Bad != ""})
	}
	keep, reject := len(classes["KEEP"]), len(classes["REJECT"])
	want := []short{
		{"one", "vm/runtime", "^BenchmarkA$|^BenchmarkB$", ".", keep, false},
		{"two", "x", `^BenchmarkC$/^With_labels\(x\)$`, "x", 1 + len(classes["INCONCLUSIVE"]), false},
		{"three", "x", "", "x", reject, false},
		{"one", "x", "^BenchmarkC$", "x", keep, true},
		{"four", "x", "^BenchmarkC$", "x", keep, true},
		{"five", "../x", "^BenchmarkC$", "../x", keep, true},
		{"six", "x", "", "x", keep, true},
		{"seven", "x", "^BenchmarkC$", "x", 0, true},
		{"eight", "x", "^BenchmarkC$", "x", 0, true},
		{"nine", ".", "", ".", 0, true},
		{"eleven", "sub/x", "^BenchmarkC$|^BenchmarkD$/^e$", "sub/x", len(classes["UNDECIDED"]), false},
		{"ten", "x", "^BenchmarkC$", "x", keep, true},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if rows[1].Line != 5 {
		t.Errorf("the second row is of line %d", rows[1].Line)
	}
}

func TestReadNaming(t *testing.T) {
	for cell, want := range map[string]naming{
		"":                        {},
		"-":                       {},
		"(none for Write)":        {},
		"(none (as yet))":         {words: "(none (as yet))"},
		"(new) BenchmarkA (slow)": {[]string{"BenchmarkA"}, "(new) (slow)"},
		"none, BenchmarkA is off": {},
		"BenchmarkA":              {names: []string{"BenchmarkA"}},
		"^BenchmarkA$|Benchmark":  {names: []string{"BenchmarkA", "Benchmark"}},
		"BenchmarkA/x=1, BenchmarkB | BenchmarkA/y(2)": {names: []string{"BenchmarkA/x=1", "BenchmarkB", "BenchmarkA/y(2)"}},
		"BenchmarkA (new in the fix), and BenchmarkB":  {[]string{"BenchmarkA", "BenchmarkB"}, "(new in the fix), and"},
		"the benchmarks (see BenchmarkA/x).":           {[]string{"BenchmarkA/x"}, "the benchmarks (see )."},
	} {
		got, ok := readNaming(cell)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(naming{})); d != "" || !ok {
			t.Errorf("%q: %v\n%s", cell, ok, d)
		}
	}
	for _, cell := range []string{"bench me", "Benchmarks of x", "benchmark"} {
		if n, ok := readNaming(cell); ok {
			t.Errorf("%q: %+v", cell, n)
		}
	}
}

func TestNoCorpus(t *testing.T) {
	for _, text := range []string{"", head, "id\trepo\n", "\x00\x01"} {
		if rows, err := ReadCorpus(strings.NewReader(text)); err == nil {
			t.Errorf("%q: %v", text, rows)
		}
	}
}

func FuzzReadCorpus(f *testing.F) {
	f.Add(head + "one\tgithub.com/o/n\texample.com/m\t0123456789\t0123456789\tx (bench in .)\tBenchmarkA|BenchmarkB/c\tKEEP\tkept|REJECT\n")
	f.Add("id\trepo\tparent_commit\tfix_commit\tpackage\tbenchmark\texpected_verdict\na\tb\tc")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := ReadCorpus(strings.NewReader(text))
		if (err == nil) != (len(rows) > 0) {
			t.Fatalf("%d rows, error %v", len(rows), err)
		}
		for _, r := range rows {
			if r.Bad == "" && (r.ID == "" || !inside(r.Package) || !inside(r.BenchPackage) || len(r.Accept) == 0 || strings.Contains(r.Repo, "..")) {
				t.Errorf("%+v passes", r)
			}
		}
	})
}

func TestVerdictOf(t *testing.T) {
	failed := func(name string) []model.Check { return []model.Check{{Name: name, Detail: "x"}} }
	answers := func(as ...model.Answer) (vs []model.Verdict) {
		for _, a := range as {
			vs = append(vs, model.Verdict{Answer: a})
		}
		return vs
	}
	for _, tt := range []struct {
		a    model.Attempt
		want model.ScoreVerdict
	}{
		{model.Attempt{Outcome: model.Kept}, model.ScoreKept},
		{model.Attempt{Checks: failed("behaviour")}, model.ScoreRefused},
		{model.Attempt{Checks: failed("worth"), Verdicts: answers(model.Faster)}, model.ScoreLowValue},
		{model.Attempt{Reason: "not covered: no chosen benchmark", Verdicts: answers(model.Undecided)}, model.ScoreNotCovered},
		{model.Attempt{Reason: "the benchmarks' code is the same with and without it"}, model.ScoreNotCovered},
		{model.Attempt{Reason: "slower by 3 %", Verdicts: answers(model.NoEffect, model.Slower)}, model.ScoreWorse},
		{model.Attempt{Reason: "allocates more: allocs/op 1 → 2", Verdicts: answers(model.Undecided)}, model.ScoreWorse},
		{model.Attempt{Reason: "p.BenchmarkB: allocates more: allocs/op 1 → 2", Verdicts: answers(model.NoEffect, model.NoEffect)}, model.ScoreWorse},
		{model.Attempt{Reason: "p.BenchmarkC allocates more: allocs/op 1 → 2", Verdicts: answers(model.Faster, model.Undecided)}, model.ScoreWorse},
		{model.Attempt{Outcome: model.Unsettled, Reason: "p.BenchmarkB: too few runs to rule out a slowdown of more than 3.0 %", Verdicts: answers(model.NoEffect, model.NoEffect)}, model.ScoreUndecided},
		{model.Attempt{Reason: "no worthwhile effect", Verdicts: answers(model.NoEffect, model.NoEffect)}, model.ScoreNoEffect},
		{model.Attempt{Reason: "undecided", Verdicts: answers(model.NoEffect, model.Undecided)}, model.ScoreUndecided},
		{model.Attempt{Reason: "faster by 2 %, not separable from the layout of the code", Verdicts: answers(model.Faster)}, model.ScoreUndecided},
	} {
		if got := verdictOf(tt.a); got != tt.want {
			t.Errorf("%q %v: %s, want %s", tt.a.Reason, tt.a.Checks, got, tt.want)
		}
	}
}

func TestParts(t *testing.T) {
	gain := func(before, after, change float64) []model.ScoreGain {
		return []model.ScoreGain{{
			Counts:  []model.Exact{{Metric: "allocs/op", Before: before, After: after, Tolerance: 0.01}, {Metric: "B/op", Before: 100, After: 0}},
			Verdict: &model.Verdict{Metric: "cpu/op", Change: change, Lo: change - 0.01, Hi: change + 0.01},
		}}
	}
	late := gain(5, 1, 0)
	late[0].Verdict.Answer = model.Undecided
	for _, tt := range []struct {
		own, upstream []model.ScoreGain
		allocs, cpu   float64 // -1 for nil
	}{
		{gain(5, 1, -0.2), gain(5, 0, -0.4), 0.8, 0.5},
		{nil, gain(5, 0, -0.4), 0, 0},
		{gain(5, 1, -0.2), gain(5, 5, 0.005), -1, -1}, // upstream gains nothing
		{gain(5, 6, 0.2), gain(5, 0, -0.4), -0.2, -0.5},
		{late, gain(5, 0, -0.4), 0.8, -1},                 // the last comparison had no time
		{[]model.ScoreGain{{}}, gain(5, 0, -0.4), -1, -1}, // nor began
		{late, gain(5, 5, 0.005), -1, -1},
	} {
		allocs, cpu := parts(tt.own, tt.upstream)
		for _, x := range []struct {
			got  *float64
			want float64
		}{{allocs, tt.allocs}, {cpu, tt.cpu}} {
			if (x.got == nil) != (x.want == -1) || x.got != nil && (*x.got-x.want > 1e-9 || x.want-*x.got > 1e-9) {
				t.Errorf("%+v: got %v, want %v", tt, x.got, x.want)
			}
		}
	}
}
