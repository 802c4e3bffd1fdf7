package verdict

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// A clear effect that the time did not suffice for is not called small: with
// fewer units than a claim takes, that is why there is none.
func TestWhyOpen(t *testing.T) {
	const few = "a verdict needs at least 8, however clear they are"
	for _, tt := range []struct {
		units       int
		linked      bool
		ordered     bool
		change      float64
		seen, cause string
	}{
		{1, false, false, 0.1, "not decided after 1 duet", few},
		{7, false, false, 0.1, "not decided after 7 duets", few},
		{8, false, false, 0.1, "not decided after 8 duets", "so few fitted into the budget: other programs are running, or a duet takes long"},
		{8, false, false, -0.1, "not decided after 8 duets", "so few fitted into the budget: other programs are running, or a duet takes long"},
		{8, false, false, 0.03, "not decided after 8 duets", "the effect is small beside the noise of 1.0 % a duet"},
		{1, true, false, 0.1, "not separable from layout after 1 pair of fresh links", few},
		{8, true, false, 0.1, "not separable from layout after 8 pairs of fresh links", "where the linker puts the code moves this benchmark by 1.0 % a link, and the sides had unrelated orders"},
		{8, true, true, 0.1, "not separable from layout after 8 pairs of fresh links", "one pair of links differs from the next by 1.0 %, though both sides had their functions in one order"},
	} {
		a := Answer{Linked: tt.linked, Ordered: tt.ordered, Layout: tt.linked, Verdict: model.Verdict{Answer: model.Undecided, Units: tt.units, Change: tt.change, NoiseSD: 0.01}}
		if w, ok := NewSeries(Rules{Judge: judge.RegressRules()}).Open(a); !ok || w.Seen != tt.seen || w.Cause != tt.cause {
			t.Errorf("%d units: %q, %q", tt.units, w.Seen, w.Cause)
		}
	}
}

// units draws log ratios of this mean and standard deviation.
func units(seed uint64, n int, mean, sd float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float64, n)
	for i := range out {
		out[i] = mean + sd*r.NormFloat64()
	}
	return out
}

func series(t *testing.T, r Rules, ds []float64) *Series {
	t.Helper()
	s := NewSeries(r)
	for _, d := range ds {
		if err := s.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// The answer is that of a sequence at the question's share of the error, and
// the interval that of one at the level that is shown.
func TestSeriesIsTheJudges(t *testing.T) {
	bm := model.Benchmark{Name: "BenchmarkX"}
	for seed := range uint64(60) {
		r := Rules{Judge: judge.RegressRules(), Level: 0.95, Floor: 0.02}
		r.Judge.Alpha /= float64(1 + seed%4)
		ds := units(seed, 1+int(seed), []float64{0, 0.01, -0.05, 0.5}[seed%4], 0.01)
		a := series(t, r, ds).Answer(bm, CPU, false)
		claim, shown := judge.NewSequence(r.Judge), judge.NewSequence(judge.RegressRules())
		for _, d := range ds {
			if err := errors.Join(claim.Add(d), shown.Add(d)); err != nil {
				t.Fatal(err)
			}
		}
		d, s := claim.Decision(), shown.Decision()
		lo, hi := s.Finite()
		v := a.Verdict
		if v.Answer != model.Answer(d.Answer) || v.Change != d.Estimate || v.Evidence != d.E || v.Units != len(ds) || a.FloorExcluded != claim.ExcludesSlowdown(0.02, r.Judge.Beta) {
			t.Errorf("seed %d: %+v, the judge says %+v", seed, a, d)
		}
		if math.Abs(v.Lo-lo) > 1e-9 || math.Abs(v.Hi-hi) > 1e-9*max(1, hi) || v.Level != 0.95 {
			t.Errorf("seed %d: shown is [%v, %v], the judge says [%v, %v]", seed, v.Lo, v.Hi, lo, hi)
		}
		if a.Lacks != "" && (v.Answer != model.Undecided || v.Lo <= 0 && v.Hi >= 0) {
			t.Errorf("seed %d: %+v lacks %q", seed, v, a.Lacks)
		}
	}
}

// A series has enough with its answer, and one that asks about the floor when
// that is excluded and it has its least units.
func TestEnough(t *testing.T) {
	adopt, regress := judge.AdoptRules(), judge.RegressRules()
	for _, tt := range []struct {
		name  string
		r     Rules
		ds    []float64
		wants bool
	}{
		{"none", Rules{Judge: regress}, nil, false},
		{"too few", Rules{Judge: regress}, units(1, 4, 0.5, 0.01), false},
		{"slower", Rules{Judge: regress}, units(1, 9, 0.5, 0.01), true},
		{"slower, and more are asked for", Rules{Judge: regress, MinUnits: 10}, units(1, 9, 0.5, 0.01), false},
		{"the floor is excluded", Rules{Judge: adopt, Floor: LayoutFloor, AtFloor: true, MinUnits: 8}, units(1, 12, 0, 0.005), true},
		{"the floor is open", Rules{Judge: adopt, Floor: LayoutFloor, AtFloor: true, MinUnits: 8}, units(1, 12, LayoutFloor, 0.05), false},
		{"about to be faster, which is not asked", Rules{Judge: adopt, Level: 0.5, Floor: LayoutFloor, AtFloor: true}, units(1, adopt.MinUnits()-1, -0.2, 0.001), true},
		{"no run of luck is that long", Rules{Judge: adopt, Floor: LayoutFloor, AtFloor: true}, units(1, 4, -0.2, 0.001), false},
		{"the last unit", Rules{Judge: regress}, units(1, regress.MaxUnits, 0.02, 0.5), true},
	} {
		if got := series(t, tt.r, tt.ds).Enough(); got != tt.wants {
			t.Errorf("%s: %v after %d units", tt.name, got, len(tt.ds))
		}
	}
}

// Answers that the layout could have given, and no others, are taken back.
func TestNeedsLinks(t *testing.T) {
	for _, tt := range []struct {
		is     model.Answer
		change float64
		want   bool
	}{
		{model.Slower, 0.03, true}, {model.Slower, 0.34, true}, {model.Slower, 0.36, false}, {model.Faster, -0.34, true},
		{model.Faster, -0.36, false}, {model.NoEffect, 0.01, false}, {model.Undecided, 0.03, false},
	} {
		a := Answer{Verdict: model.Verdict{Answer: tt.is, Change: tt.change}}
		if got := NeedsLinks(a.Verdict); got != tt.want {
			t.Errorf("%s by %v: %v", tt.is, tt.change, got)
		}
		a.TakeBack("one link", "two")
		if s := NewSeries(Rules{Judge: judge.RegressRules()}); a.Verdict.Answer != model.Undecided || !a.Layout || len(a.Verdict.Warnings) != 1 {
			t.Errorf("%+v", a)
		} else if w, ok := s.Open(a); ok {
			t.Errorf("said twice: %+v", w)
		}
	}
}

// FuzzRead reads whatever was measured by whatever rules: there is a standing
// and a reason, and both are fit for JSON.
func FuzzRead(f *testing.F) {
	f.Add(uint64(1), 20, 0.05, 0.01, 3.0, 4.0, uint8(0))
	f.Add(uint64(2), 9, -0.4, 0.001, 0.0, 0.25, uint8(7))
	f.Add(uint64(3), 0, 0.0, 0.0, 5.0, 3.0, uint8(255))
	f.Fuzz(func(t *testing.T, seed uint64, n int, mean, sd, before, after float64, flags uint8) {
		is := func(bit int) bool { return flags>>bit&1 == 1 }
		r := Rules{Judge: judge.RegressRules(), Level: 0.95, AtFloor: is(0), OwnLayout: is(1), AnySlowdown: is(2), GuardsDoubt: is(3), From: Source(int(flags>>4) % 3)}
		if r.AtFloor || r.From != Trial {
			r.Floor = r.Judge.MinEffect
		}
		s := NewSeries(r)
		for _, d := range units(seed, max(0, n%64), mean, sd) {
			if math.Abs(d) < 700 { // the quotient of two times is a number
				_ = s.Add(d)
			}
		}
		a := s.Answer(model.Benchmark{Name: "BenchmarkX"}, CPU, is(6))
		e := Evidence{Times: []Answer{a}, Unlike: is(7), Counts: []model.Exact{{Metric: Allocs, Before: before, After: after, Tolerance: 0.005}}}
		if is(7) {
			e.Guards = []model.Guard{{Name: "peak-heap", Tripped: true}}
		}
		got := r.Read(e)
		_, open := s.Open(a)
		switch {
		case got.Why == "" || got.Standing == "":
			t.Errorf("%+v", got)
		case (got.Standing == model.Regressed) != (len(got.Regressions) > 0):
			t.Errorf("%+v", got)
		case open && (got.Standing == model.Clean || got.Standing == model.Improved):
			t.Errorf("a warning says that it is open: %+v", got)
		}
		if _, err := json.Marshal(a.Verdict); err != nil {
			t.Error(err)
		}
	})
}
