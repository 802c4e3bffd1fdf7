package compare

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/baseline"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/trial"
)

func allocs(before, after float64) model.Exact {
	return model.Exact{Metric: "allocs/op", Before: before, After: after, Tolerance: 0.005}
}

func answer(a model.Answer, change, lo, hi float64) trial.Answer {
	return trial.Answer{Verdict: model.Verdict{Metric: "cpu/op", Answer: a, Change: change, Lo: lo, Hi: hi, Units: 20}}
}

func linked(a trial.Answer) trial.Answer { a.Linked = true; return a }

func excluded(a trial.Answer) trial.Answer { a.FloorExcluded = true; return a }

func takenBack(a trial.Answer) trial.Answer { a.Layout = true; return a }

func TestStanding(t *testing.T) {
	undecided := answer(model.Undecided, 0.01, -0.02, 0.04)
	none := answer(model.NoEffect, 0, -0.01, 0.01)
	tests := []struct {
		name string
		f    finding
		with model.Compared
		want model.Standing
		why  string
	}{
		{"nothing there", finding{answer: none}, model.Compared{}, model.Clean, "2.0 % or more is excluded"},
		{"slower", finding{answer: linked(answer(model.Slower, 0.05, 0.02, 0.08))}, model.Compared{}, model.Regressed, "slower by 5.0 %"},
		{"open, the interval too", finding{answer: answer(model.Undecided, 0.1, -1, 1e6)}, model.Compared{}, model.Open, "+10.0 % is still open"},
		{"slower by less than counts", finding{answer: answer(model.Slower, 0.01, 0.005, 0.015)}, model.Compared{}, model.Clean, "less than 2.0 %"},
		{"faster on fresh links", finding{answer: linked(answer(model.Faster, -0.04, -0.06, -0.02))}, model.Compared{}, model.Improved, "faster by 4.0 %"},
		{"faster beyond any layout", finding{answer: answer(model.Faster, -0.4, -0.5, -0.3)}, model.Compared{}, model.Improved, "faster by 40.0 %"},
		{"faster, a question about files", finding{answer: answer(model.Faster, -0.04, -0.06, -0.02), files: true}, model.Compared{}, model.Improved, "faster by 4.0 %"},
		{"open", finding{answer: undecided}, model.Compared{}, model.Open, "still open"},
		{"not separable", finding{answer: takenBack(undecided)}, model.Compared{}, model.Open, "not separable from layout"},
		{"more allocations and faster", finding{answer: linked(answer(model.Faster, -0.04, -0.06, -0.02))}, model.Compared{Counts: []model.Exact{allocs(3, 4)}}, model.Regressed, "allocs/op 3 → 4"},
		{"a fraction of an allocation more", finding{answer: none}, model.Compared{Counts: []model.Exact{allocs(0, 0.25)}}, model.Regressed, "allocs/op 0 → 0.25"},
		{"fewer allocations, time open", finding{answer: undecided}, model.Compared{Counts: []model.Exact{allocs(4, 3)}}, model.Open, "still open"},
		{"fewer allocations", finding{answer: none}, model.Compared{Counts: []model.Exact{allocs(4, 3)}}, model.Improved, "allocs/op 4 → 3"},
		{"noisy counts claim nothing", finding{answer: none}, model.Compared{Counts: []model.Exact{{Metric: "allocs/op", Before: 3, After: 9, Noisy: true}}}, model.Clean, ""},
		{"more bytes in as many objects", finding{answer: none}, model.Compared{Counts: []model.Exact{allocs(1, 1), {Metric: "B/op", Before: 64, After: 96}}}, model.Regressed, "B/op 64 → 96"},
		{"more bytes in fewer objects", finding{answer: none}, model.Compared{Counts: []model.Exact{allocs(4, 1), {Metric: "B/op", Before: 64, After: 96}}}, model.Improved, ""},
		{"a guard", finding{answer: none}, model.Compared{Guards: []model.Guard{{Name: trial.GuardHeap, Before: 1e6, After: 9e6, Tripped: true, Detail: "1 MB → 9 MB"}}}, model.Regressed, "peak-heap 1 MB"},
		{"two programs", finding{answer: none, unpinned: true}, model.Compared{}, model.Open, "the benchmark itself changed"},
		{"gate: excluded", finding{answer: excluded(undecided), gate: true}, model.Compared{}, model.Clean, "2.0 % or more is excluded"},
		{"gate: faster on one link claims nothing", finding{answer: excluded(answer(model.Faster, -0.04, -0.06, -0.02)), gate: true}, model.Compared{}, model.Clean, "excluded"},
		{"gate: slower, and whether it counts is open", finding{answer: answer(model.Slower, 0.015, 0.005, 0.03), gate: true}, model.Compared{}, model.Open, "still open"},
		{"gate: slower by what counts", finding{answer: answer(model.Slower, 0.03, 0.01, 0.06), gate: true}, model.Compared{}, model.Regressed, "slower by 3.0 %"},
	}
	for _, tt := range tests {
		tt.f.Compared, tt.f.least = &tt.with, 0.02
		got, why := tt.f.standing()
		if got != tt.want || !strings.Contains(why, tt.why) {
			t.Errorf("%s: %s: %q; want %s: …%s…", tt.name, got, why, tt.want, tt.why)
		}
		if (got == model.Regressed) != (len(tt.f.regressions()) > 0) {
			t.Errorf("%s: %s with %v", tt.name, got, tt.f.regressions())
		}
	}
}

// A baseline file accepts a benchmark only when it accepts all that regressed.
func TestAccept(t *testing.T) {
	file, err := baseline.Parse(strings.NewReader("m BenchmarkX cpu/op +8%: checksums (#12)\nm BenchmarkY *  any: rewritten\n"), "b")
	if err != nil {
		t.Fatal(err)
	}
	s := &session{opt: Options{Baseline: file}, start: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}
	tests := []struct {
		bm   string
		bad  []regression
		want model.Standing
	}{
		{"BenchmarkX", []regression{{metric: "cpu/op", change: 0.05}}, model.Accepted},
		{"BenchmarkX", []regression{{metric: "cpu/op", change: 0.09}}, model.Regressed},
		{"BenchmarkX", []regression{{metric: "cpu/op", change: 0.05}, {metric: "allocs/op", change: 1}}, model.Regressed},
		{"BenchmarkY", []regression{{metric: "cpu/op", change: 2}, {metric: "allocs/op", change: 1}}, model.Accepted},
		{"BenchmarkZ", []regression{{metric: "cpu/op", change: 0.05}}, model.Regressed},
	}
	for _, tt := range tests {
		c := model.Compared{Benchmark: model.Benchmark{Pkg: "m", Name: tt.bm}, Standing: model.Regressed}
		if s.accept(&c, tt.bad); c.Standing != tt.want || (c.Accepted == "") == (tt.want == model.Accepted) {
			t.Errorf("%s %v: %s (%s), want %s", tt.bm, tt.bad, c.Standing, c.Accepted, tt.want)
		}
	}
}
