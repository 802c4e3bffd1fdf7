package hotpath

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func direction(t *testing.T, s string) Direction {
	t.Helper()
	d, err := ParseDirection(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestHold(t *testing.T) {
	r := Record{Name: "r", Pkg: "m", Bench: ".", Measured: Measured{Commit: "abc with edits", Figures: []Figures{
		{"BenchmarkA", []Figure{{Metric: Allocs, Value: 4}, {Metric: Bytes, Value: 1000}}},
	}}}
	exact := func(metric string, v float64) Now {
		return Now{Benchmark: "BenchmarkA", Counts: map[string]Range{metric: {Lo: v, Hi: v, Tolerance: 0.005}}}
	}
	varies := func(lo, hi float64) Now {
		return Now{Benchmark: "BenchmarkA", Counts: map[string]Range{Allocs: {Lo: lo, Hi: hi, Tolerance: 0.005}}}
	}
	timed := func(lo, hi float64) Now {
		return Now{Benchmark: "BenchmarkA", Base: "main", Times: map[string]model.Verdict{CPU: {Change: (lo + hi) / 2, Lo: lo, Hi: hi}}}
	}
	for _, tt := range []struct {
		direction string
		now       Now
		want      Standing
		why       string
	}{
		{"allocs/op = 0", exact(Allocs, 0), Holds, "allocs/op 0, to be 0"},
		{"allocs/op = 0", exact(Allocs, 0.004), Holds, ""},
		{"allocs/op = 0", exact(Allocs, 1), Broken, "allocs/op 1, to be 0"},
		{"allocs/op = 3", exact(Allocs, 2), Broken, "allocs/op 2, to be 3"},
		{"allocs/op <= 3", exact(Allocs, 2), Holds, ""},
		{"allocs/op <= recorded", exact(Allocs, 4), Holds, ""},
		{"allocs/op <= recorded", exact(Allocs, 3), Holds, ""},
		{"allocs/op <= recorded", exact(Allocs, 5), Broken, "allocs/op 5, limit 4 (recorded)"},
		{"allocs/op <= +50%", exact(Allocs, 6), Holds, ""},
		{"allocs/op <= +50%", exact(Allocs, 7), Broken, "limit 6 (+50%)"},
		{"B/op <= +10%", exact(Bytes, 1101), Broken, "B/op 1101, limit 1100 (+10%)"},
		{"retained-B <= recorded", exact(Retained, 1), Open, "the record has no retained-B"},
		{"retained-B <= 10", exact(Allocs, 1), Open, "retained-B was not measured"},
		// Counts that vary: what all runs say is said.
		{"allocs/op <= 3", varies(3.2, 3.9), Broken, "allocs/op 3.2 to 3.9, limit 3"},
		{"allocs/op <= 4", varies(3.2, 3.9), Holds, ""},
		{"allocs/op <= 3.5", varies(3.2, 3.9), Open, "differs from run to run"},
		{"allocs/op = 3.5", varies(3.2, 3.9), Open, ""},
		// Times belong to the machine that measured them side by side.
		{"cpu/op <= +3%", exact(Allocs, 0), Open, "was not measured"},
		{"cpu/op <= +3%", timed(-0.01, 0.02), Holds, "against main, limit +3%"},
		{"cpu/op <= +3%", timed(0.01, 0.05), Open, ""},
		{"cpu/op <= +3%", timed(0.04, 0.05), Broken, ""},
		{"allocs/op = 0", Now{Benchmark: "BenchmarkA", Failed: "panicked"}, Open, "panicked"},
	} {
		got := direction(t, tt.direction).hold(r, tt.now)
		if got.Standing != tt.want || !strings.Contains(got.Why, tt.why) {
			t.Errorf("%s, %+v: %s, %q; want %s, %q", tt.direction, tt.now, got.Standing, got.Why, tt.want, tt.why)
		}
	}
	open := direction(t, "cpu/op <= +3%").hold(r, exact(Allocs, 0))
	if want := "pawl compare abc . -bench '^BenchmarkA$' m"; open.Try != want {
		t.Errorf("try %q, want %q", open.Try, want)
	}
}

// A benchmark that the record knows and that is not there any more is a
// question, not a success; so is a pattern that matches nothing.
func TestGoneBenchmarks(t *testing.T) {
	r := Record{Pkg: "m", Bench: ".", Better: []Direction{direction(t, "allocs/op = 0")}, Measured: Measured{Figures: []Figures{
		{"BenchmarkA", []Figure{{Metric: Allocs}}}, {"BenchmarkB", []Figure{{Metric: Allocs}}},
	}}}
	zero := map[string]Range{Allocs: {}}
	summary := func(now []Now) []string {
		var out []string
		for _, d := range judge(r, now, false) {
			out = append(out, d.Benchmark+" "+string(d.Standing))
		}
		return out
	}
	for _, tt := range []struct {
		now  []Now
		want []string
	}{
		{nil, []string{"BenchmarkA undecided", "BenchmarkB undecided"}},
		{[]Now{{Benchmark: "BenchmarkB", Counts: zero}}, []string{"BenchmarkB holds", "BenchmarkA undecided"}},
		{[]Now{{Benchmark: "BenchmarkA", Counts: zero}, {Benchmark: "BenchmarkB", Counts: zero}, {Benchmark: "BenchmarkNew", Counts: zero}},
			[]string{"BenchmarkA holds", "BenchmarkB holds", "BenchmarkNew holds"}},
	} {
		if diff := cmp.Diff(tt.want, summary(tt.now)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	r.Measured = Measured{}
	if diff := cmp.Diff([]string{" undecided"}, summary(nil)); diff != "" {
		t.Errorf("without figures: -want +got:\n%s", diff)
	}
}

type measurer func(Record) ([]Now, error)

func (m measurer) Measure(_ context.Context, r Record) ([]Now, error) { return m(r) }

// module writes files into a new directory.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/m // a comment\n\ngo 1.24\n"
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCheck(t *testing.T) {
	dir := module(t, map[string]string{"m.go": "package m\n\nfunc F() int {\n\treturn 1\n}\n"})
	here := Place{Pkg: "example.com/m", Func: "F", Line: "return 1", At: model.Pos{File: "m.go", Line: 4}}
	count := "echo x >> ran"
	records := []Record{
		{Name: "good", Place: here, Guards: []Guard{{"a", time.Minute, count}}, Better: []Direction{direction(t, "allocs/op = 0")}, Pkg: "example.com/m", Bench: "."},
		{Name: "guard", Place: here, Guards: []Guard{{"b", time.Minute, count}, {"c", time.Minute, "exit 1"}, {"d", time.Minute, "true"}}},
		{Name: "missing", Place: here, Guards: []Guard{{"e", time.Minute, "no-such-command-at-all"}}},
		{Name: "gone", Place: Place{Pkg: "example.com/m", Func: "G"}},
	}
	rep, err := Check(t.Context(), CheckOptions{Records: records, Dir: dir, Env: os.Environ(), Measure: measurer(func(Record) ([]Now, error) {
		return []Now{{Benchmark: "BenchmarkF", Counts: map[string]Range{Allocs: {}}}}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range rep.Records {
		got = append(got, c.Name+" "+string(c.Standing))
	}
	if diff := cmp.Diff([]string{"good holds", "guard broken", "missing not run", "gone undecided"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if rep.Standing() != Broken || rep.Answer() != "broken: 1 of 4 records" {
		t.Errorf("%s, %s", rep.Standing(), rep.Answer())
	}
	if n := len(rep.Records[1].Guards); n != 3 {
		t.Errorf("%d guards ran: one that fails does not keep the others from running", n)
	}
	ran, err := os.ReadFile(filepath.Join(dir, "ran"))
	if err != nil || string(ran) != "x\n" {
		t.Errorf("a command that stands in two records ran so often: %q, %v", ran, err)
	}

	// What cannot be measured keeps no guardrail from running.
	rep, err = Check(t.Context(), CheckOptions{Records: records[:2], Dir: dir, Env: os.Environ(), Measure: measurer(func(Record) ([]Now, error) {
		return nil, errors.New("the tree does not build:\nm.go:1: no")
	})})
	if err != nil || rep.Records[0].Standing != NotRun || !strings.Contains(rep.Records[0].Error, "m.go:1") || len(rep.Records[0].Guards) != 1 || rep.Standing() != Broken {
		t.Errorf("%+v, %v", rep, err)
	}
	// Without a measurer directions are left out: the gate judges its own way.
	rep, err = Check(t.Context(), CheckOptions{Records: records[:1], Dir: dir, Env: os.Environ()})
	if err != nil || rep.Standing() != Holds || rep.Records[0].Directions != nil {
		t.Errorf("%+v, %v", rep, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rep, err = Check(ctx, CheckOptions{Records: records, Dir: dir, Env: os.Environ()})
	if !errors.Is(err, context.Canceled) || rep.Stopped != "interrupted" || rep.count(Open) != len(records) {
		t.Errorf("%+v, %v: what was not run does not hold", rep, err)
	}
}

// A gate has measured some benchmarks its own way. What it did not measure is
// no question of the records.
func TestFromComparison(t *testing.T) {
	row := func(name string, standing model.Standing, allocs float64, noisy bool) model.Compared {
		return model.Compared{
			Benchmark: model.Benchmark{Pkg: "m", Name: name}, Standing: standing,
			Counts:  []model.Exact{{Metric: Allocs, After: allocs, Noisy: noisy}},
			Verdict: &model.Verdict{Metric: CPU, Change: 0.01, Lo: -0.01, Hi: 0.02, Units: 9},
		}
	}
	c := &model.Comparison{Base: model.Side{Name: "main"}, Benchmarks: []model.Compared{
		row("BenchmarkA", model.Clean, 1, false), row("BenchmarkB", model.Clean, 0, true),
		{Benchmark: model.Benchmark{Pkg: "m", Name: "BenchmarkC"}, Standing: model.Unchanged},
		{Benchmark: model.Benchmark{Pkg: "m", Name: "BenchmarkD"}, Standing: model.Failed, Why: "panicked"},
		{Benchmark: model.Benchmark{Pkg: "other", Name: "BenchmarkA"}, Standing: model.Failed},
	}}
	r := Record{Pkg: "m", Bench: ".", Better: []Direction{direction(t, "allocs/op = 0"), direction(t, "cpu/op <= +3%"), direction(t, "retained-B = 0")}, Measured: Measured{
		Figures: []Figures{{"BenchmarkC", []Figure{{Metric: Allocs}}}},
	}}
	now, err := FromComparison(c).Measure(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range judge(r, now, true) {
		got = append(got, d.Benchmark+" "+d.Direction.Metric+" "+string(d.Standing))
	}
	want := []string{
		"BenchmarkA allocs/op broken", "BenchmarkD allocs/op undecided", "BenchmarkA cpu/op holds", "BenchmarkB cpu/op holds",
		"BenchmarkD cpu/op undecided", "BenchmarkD retained-B undecided",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
