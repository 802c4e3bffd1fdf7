package verdict

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

func allocs(before, after float64) model.Exact {
	return model.Exact{Metric: "allocs/op", Before: before, After: after, Tolerance: 0.005}
}

func answer(a model.Answer, change, lo, hi float64) Answer {
	return Answer{Verdict: model.Verdict{Metric: CPU, Answer: a, Change: change, Lo: lo, Hi: hi, Units: 20}}
}

func linked(a Answer) Answer { a.Linked = true; return a }

func excluded(a Answer) Answer { a.FloorExcluded = true; return a }

func after(units int, a Answer) Answer { a.Verdict.Units = units; return a }

func takenBack(a Answer) Answer { a.Layout = true; return a }

func TestStanding(t *testing.T) {
	undecided := answer(model.Undecided, 0.01, -0.02, 0.04)
	none := answer(model.NoEffect, 0, -0.01, 0.01)
	gate := Rules{Floor: 0.02, AtFloor: true}
	load := Rules{Floor: 0.02, From: Load, OwnLayout: true, AnySlowdown: true, GuardsDoubt: true}
	memory := Evidence{Guards: []model.Guard{{Name: PeakRSS, Before: 30 << 20, After: 75 << 20, Tripped: true}}}
	named := func(a Answer) Answer { a.Verdict.Metric = "cpu/request"; return a }
	tests := []struct {
		name string
		a    Answer
		of   Rules
		e    Evidence
		want model.Standing
		why  string
	}{
		{"nothing there", none, Rules{}, Evidence{}, model.Clean, "2.0 % or more is excluded"},
		{"slower", linked(answer(model.Slower, 0.05, 0.02, 0.08)), Rules{}, Evidence{}, model.Regressed, "slower by 5.0 %"},
		{"open, the interval too", answer(model.Undecided, 0.1, -1, 1e6), Rules{}, Evidence{}, model.Open, "+10.0 % is still open"},
		{"slower by less than counts", answer(model.Slower, 0.01, 0.005, 0.015), Rules{}, Evidence{}, model.Clean, "less than 2.0 %"},
		{"faster on fresh links", linked(answer(model.Faster, -0.04, -0.06, -0.02)), Rules{}, Evidence{}, model.Improved, "faster by 4.0 %"},
		{"faster beyond any layout", answer(model.Faster, -0.4, -0.5, -0.3), Rules{}, Evidence{}, model.Improved, "faster by 40.0 %"},
		{"faster, a question about files", answer(model.Faster, -0.04, -0.06, -0.02), Rules{OwnLayout: true}, Evidence{}, model.Improved, "faster by 4.0 %"},
		{"open", undecided, Rules{}, Evidence{}, model.Open, "still open"},
		{"open after one", after(1, undecided), Rules{}, Evidence{}, model.Open, "after 1 duet +"},
		{"open after one link", after(1, linked(undecided)), Rules{}, Evidence{}, model.Open, "after 1 pair of fresh links +"},
		{"not separable", takenBack(undecided), Rules{}, Evidence{}, model.Open, "not separable from layout"},
		{"more allocations and faster", linked(answer(model.Faster, -0.04, -0.06, -0.02)), Rules{}, Evidence{Counts: []model.Exact{allocs(3, 4)}}, model.Regressed, "allocs/op 3 → 4"},
		{"a fraction of an allocation more", none, Rules{}, Evidence{Counts: []model.Exact{allocs(0, 0.25)}}, model.Regressed, "allocs/op 0 → 0.25"},
		{"fewer allocations, time open", undecided, Rules{}, Evidence{Counts: []model.Exact{allocs(4, 3)}}, model.Open, "still open"},
		{"fewer allocations", none, Rules{}, Evidence{Counts: []model.Exact{allocs(4, 3)}}, model.Improved, "allocs/op 4 → 3"},
		{"noisy counts claim nothing", none, Rules{}, Evidence{Counts: []model.Exact{{Metric: "allocs/op", Before: 3, After: 9, Noisy: true}}}, model.Clean, ""},
		{"more bytes in as many objects", none, Rules{}, Evidence{Counts: []model.Exact{allocs(1, 1), {Metric: "B/op", Before: 64, After: 96}}}, model.Regressed, "B/op 64 → 96"},
		{"more bytes in fewer objects", none, Rules{}, Evidence{Counts: []model.Exact{allocs(4, 1), {Metric: "B/op", Before: 64, After: 96}}}, model.Improved, ""},
		{"a guard", none, Rules{}, Evidence{Guards: []model.Guard{{Name: "peak-heap", Before: 1e6, After: 9e6, Tripped: true, Detail: "1 MB → 9 MB"}}}, model.Regressed, "peak-heap 1 MB"},
		{"two programs", none, Rules{}, Evidence{Unlike: true}, model.Open, "the benchmark itself changed"},
		{"gate: excluded", excluded(undecided), gate, Evidence{}, model.Clean, "2.0 % or more is excluded"},
		{"gate: faster on one link claims nothing", excluded(answer(model.Faster, -0.04, -0.06, -0.02)), gate, Evidence{}, model.Clean, "excluded"},
		{"gate: slower, and whether it counts is open", answer(model.Slower, 0.015, 0.005, 0.03), gate, Evidence{}, model.Open, "still open"},
		{"gate: slower by what counts", answer(model.Slower, 0.03, 0.01, 0.06), gate, Evidence{}, model.Regressed, "slower by 3.0 %"},
		{"files: excluded", excluded(undecided), Rules{Floor: 0.02, From: Files}, Evidence{}, model.Clean, "a slowdown by 2.0 % or more is excluded"},
		{"files: no effect", excluded(none), Rules{Floor: 0.02, From: Files}, Evidence{}, model.Clean, "an effect of 2.0 % or more is excluded"},
		{"load: slower by whatever", named(answer(model.Slower, 0.01, 0.005, 0.015)), load, Evidence{}, model.Regressed, "cpu/request slower by 1.0 % [+0.5, +1.5]"},
		{"load: faster", named(answer(model.Faster, -0.04, -0.06, -0.02)), load, Evidence{}, model.Improved, "cpu/request faster by 4.0 % [−6.0, −2.0]"},
		{"load: faster, for memory", named(answer(model.Faster, -0.04, -0.06, -0.02)), load, memory, model.Open, "the peak resident set rose from 30.0 to 75.0 MiB: cost has moved to memory"},
		{"load: more memory", named(none), load, memory, model.Open, "75.0 MiB; cpu/request: no worthwhile effect [−1.0, +1.0]"},
		{"load: no effect", named(none), load, Evidence{}, model.Clean, "cpu/request: no worthwhile effect [−1.0, +1.0]"},
		{"load: excluded", named(excluded(undecided)), load, Evidence{}, model.Clean, "cpu/request: a slowdown of 2.0 % or more is excluded"},
		{"load: open", named(undecided), load, Evidence{}, model.Open, "cpu/request is undecided after 20 units: +1.0 % [−2.0, +4.0]"},
	}
	for _, tt := range tests {
		tt.of.Judge, tt.e.Times = judge.RegressRules(), []Answer{tt.a}
		got := tt.of.Read(tt.e)
		if got.Standing != tt.want || !strings.Contains(got.Why, tt.why) {
			t.Errorf("%s: %s: %q; want %s: …%s…", tt.name, got.Standing, got.Why, tt.want, tt.why)
		}
		if (got.Standing == model.Regressed) != (len(got.Regressions) > 0) {
			t.Errorf("%s: %s with %v", tt.name, got.Standing, got.Regressions)
		}
	}
}

// What holds of every reading, whatever was measured and asked.
func TestEveryReading(t *testing.T) {
	rules := map[string]Rules{
		"compare": {}, "gate": {Floor: 0.02, AtFloor: true}, "two binaries": {OwnLayout: true},
		"files": {Floor: 0.02, From: Files},
		"load":  {Floor: 0.02, From: Load, OwnLayout: true, AnySlowdown: true, GuardsDoubt: true},
	}
	changes := [][3]float64{{0.05, 0.02, 0.08}, {0.01, 0.005, 0.015}, {0.4, 0.3, 0.5}, {-0.04, -0.06, -0.02}, {0, -0.01, 0.01}, {0.1, -1, 1e6}}
	counts := [][]model.Exact{nil, {allocs(3, 4)}, {allocs(4, 3)}, {allocs(3, 3), {Metric: Bytes, Before: 64, After: 96}}, {{Metric: Allocs, Before: 3, After: 9, Noisy: true}}}
	guards := [][]model.Guard{nil, {{Name: "peak-heap", Before: 1e6, After: 9e6, Tripped: true}}}
	for name, r := range rules {
		r.Judge = judge.RegressRules()
		for _, is := range []model.Answer{model.Faster, model.Slower, model.NoEffect, model.Undecided} {
			for _, c := range changes {
				for _, cs := range counts {
					for _, g := range guards {
						for _, excluded := range []bool{false, r.Floor > 0} {
							a := answer(is, c[0], c[1], c[2])
							a.FloorExcluded = excluded
							for _, fault := range faults(r, Evidence{Times: []Answer{a}, Counts: cs, Guards: g}) {
								t.Errorf("%s: %s %v, excluded %v, %v, %v: %s", name, is, c, excluded, cs, g, fault)
							}
						}
					}
				}
			}
		}
	}
}

// faults lists what a reading must not say of evidence.
func faults(r Rules, e Evidence) []string {
	var out []string
	a := e.Times[0]
	got := r.Read(e)
	rose := slices.ContainsFunc(e.Counts, model.Exact.Rose)
	expect := func(holds bool, fault string) {
		if !holds {
			out = append(out, fault+": "+string(got.Standing)+": "+got.Why)
		}
	}
	expect(got.Why != "", "no reason")
	expect((got.Standing == model.Regressed) == (len(got.Regressions) > 0), "a regression without its name")
	expect(!rose || got.Standing == model.Regressed, "more allocations pass")
	expect(len(e.Guards) == 0 || got.Standing == model.Regressed || r.GuardsDoubt && got.Standing == model.Open, "a guard passes")
	expect(a.Verdict.Answer != model.Undecided || a.FloorExcluded || got.Standing != model.Clean && got.Standing != model.Improved, "the open question is answered")
	expect(a.Verdict.Answer != model.Slower || got.Standing != model.Improved || a.FloorExcluded || a.Verdict.Hi < r.Judge.MinEffect, "slower is an improvement")
	if len(e.Counts) == 0 && len(e.Guards) == 0 {
		want := map[model.Answer]model.Standing{model.Faster: model.Improved, model.Slower: model.Regressed, model.NoEffect: model.Clean, model.Undecided: model.Open}
		plain := !a.FloorExcluded && a.Verdict.Lo*a.Verdict.Hi > 0 && a.Verdict.Hi > r.Judge.MinEffect && (a.Verdict.Change > LayoutReach || r.OwnLayout)
		expect(!plain || got.Standing == want[a.Verdict.Answer], "two rules read a plain answer differently")
	}
	return out
}

// Under load any metric that got slower is a regression, whatever the first says.
func TestOtherMetrics(t *testing.T) {
	r := Rules{Judge: judge.RegressRules(), From: Load, OwnLayout: true, AnySlowdown: true, GuardsDoubt: true}
	faster, slower := answer(model.Faster, -0.04, -0.06, -0.02), answer(model.Slower, 0.2, 0.1, 0.3)
	slower.Verdict.Metric = "latency-p99"
	got := r.Read(Evidence{Times: []Answer{faster, slower}})
	if got.Standing != model.Regressed || got.Why != "latency-p99 slower by 20.0 % [+10.0, +30.0]" {
		t.Errorf("%+v", got)
	}
}
