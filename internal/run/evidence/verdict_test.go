package evidence

import (
	"math"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

func TestShort(t *testing.T) {
	for _, tt := range []struct {
		claimed, measured float64
		want              bool
	}{
		{0, 1.01, false}, {1, 1.01, false}, // no number
		{10, 5, false}, {10, 4.9, true}, {3, 1.4, true}, // ratios
		{2, 1.5, false}, {2, 1.4, true}, {1.2, 1.15, false}, // gains
		{5.57, math.Inf(1), false},
	} {
		if got := short(tt.claimed, tt.measured); got != tt.want {
			t.Errorf("short(%v, %v) = %v", tt.claimed, tt.measured, got)
		}
	}
}

// counts returns allocs/op and B/op before and after.
func counts(a0, a1, b0, b1 float64) []model.Exact {
	return []model.Exact{{Metric: "allocs/op", Before: a0, After: a1, Tolerance: 0.01}, {Metric: "B/op", Before: b0, After: b1, Tolerance: 0.5}}
}

func noisy(e []model.Exact) []model.Exact {
	for i := range e {
		e[i].Noisy = true
	}
	return e
}

// samples returns n units with these objects in each iteration, which vary a
// little.
func samples(n int, before, after uint64) [][2]model.Sample {
	var out [][2]model.Sample
	for i := range uint64(n) {
		out = append(out, [2]model.Sample{{N: 1, Allocs: before + i}, {N: 1, Allocs: after + i}})
	}
	return out
}

func TestDecide(t *testing.T) {
	faster := trial.Answer{Answer: verdict.Answer{Verdict: model.Verdict{Metric: "cpu/op", Answer: model.Faster, Change: -0.75, Lo: -0.76, Hi: -0.74, Units: 8}}} // 4x
	slower := trial.Answer{Answer: verdict.Answer{Verdict: model.Verdict{Metric: "cpu/op", Answer: model.Slower, Change: 0.2, Lo: 0.1, Hi: 0.3, Units: 8}}}
	none := trial.Answer{Answer: verdict.Answer{Verdict: model.Verdict{Metric: "cpu/op", Answer: model.NoEffect, Units: 20}}}
	open := trial.Answer{Answer: verdict.Answer{Verdict: model.Verdict{Metric: "cpu/op", Answer: model.Undecided, Lo: -1, Hi: 1e6, Units: 3}}}
	layout := trial.Answer{Answer: verdict.Answer{Layout: true, Verdict: model.Verdict{Metric: "cpu/op", Answer: model.Undecided, Change: -0.04, Lo: -0.06, Hi: 0.01, Units: 9}}}
	vary := open
	vary.Samples = samples(8, 100, 20)
	overlap := open
	overlap.Samples = samples(8, 100, 95)
	few := open
	few.Samples = samples(3, 100, 20)
	for _, tt := range []struct {
		name   string
		metric string
		ratio  float64
		answer trial.Answer
		counts []model.Exact
		want   model.EvidenceVerdict
		text   string
	}{
		{"faster", "cpu", 0, faster, counts(1, 1, 8, 8), model.EvidenceHolds, "cpu/op falls 4.00x [3.85, 4.17]"},
		{"as claimed", "cpu", 8, faster, counts(1, 1, 8, 8), model.EvidenceHolds, "4.00x"},
		{"weaker", "cpu", 8.1, faster, counts(1, 1, 8, 8), model.EvidenceWeaker, "less than half of the 8.10x"},
		{"slower", "cpu", 0, slower, counts(1, 0, 8, 0), model.EvidenceNotThere, "rises by 20.0 %"},
		{"nothing", "wall", 0, none, counts(1, 1, 8, 8), model.EvidenceNotThere, "a gain of 3 % or more is excluded"},
		{"open", "cpu", 0, open, counts(1, 1, 8, 8), model.EvidenceUndecided, "open after 3 duets"},
		{"layout", "cpu", 0, layout, counts(1, 1, 8, 8), model.EvidenceUndecided, "not separable from the layout"},
		{"fewer allocations, time open", "allocs", 0, open, counts(1, 0, 8, 0), model.EvidenceHolds, "allocs/op 1 → 0"},
		{"fewer allocations, slower", "allocs", 0, slower, counts(1, 0, 8, 0), model.EvidenceNotThere, "allocs/op 1 → 0, but cpu/op rises"},
		{"none left is any ratio", "allocs", 100, none, counts(1, 0, 8, 0), model.EvidenceHolds, "1 → 0"},
		{"fewer than claimed", "allocs", 10, none, counts(10, 5, 80, 40), model.EvidenceWeaker, "10 → 5"},
		{"the claim is of time", "allocs", 6, faster, counts(10, 9, 80, 70), model.EvidenceHolds, "10 → 9"},
		{"only bytes fall", "allocs", 0, none, counts(1, 1, 4096, 64), model.EvidenceHolds, "B/op 4096 → 64"},
		{"a size class", "allocs", 0, none, counts(1, 1, 100, 96), model.EvidenceNotThere, "do not fall"},
		{"more allocations", "allocs", 0, faster, counts(1, 2, 100, 10), model.EvidenceNotThere, "allocs/op 1 → 2"},
		{"allocations that vary", "allocs", 0, overlap, noisy(counts(100, 95, 0, 0)), model.EvidenceUndecided, "differs from run to run"},
		{"vary, and fall all the same", "allocs", 0, vary, noisy(counts(100, 20, 0, 0)), model.EvidenceHolds, "allocs/op 100 → 20"},
		{"too few runs to say so", "allocs", 0, few, noisy(counts(100, 20, 0, 0)), model.EvidenceUndecided, "differs from run to run"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, why := decide(&rule.Evidence{Metric: tt.metric, Ratio: tt.ratio}, tt.answer, tt.counts)
			if got != tt.want || !strings.Contains(why, tt.text) {
				t.Errorf("%s: %s; want %s: …%s…", got, why, tt.want, tt.text)
			}
		})
	}
}
