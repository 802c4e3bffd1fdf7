package trial

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

func comparison(r verdict.Rules) Comparison {
	r.Judge = judge.AdoptRules()
	return Comparison{Question: Question{Plan: plan, Base: &bench.Binary{}, Cand: &bench.Binary{}, Rules: r}, CountAlpha: 1}
}

// The units of the counts are the first of the answer.
func TestCompare(t *testing.T) {
	tr, s := simulate(1, simulated{effect: -0.5, sd: 0.02, allocs: [2]uint64{5, 3}})
	f, err := tr.Compare(t.Context(), comparison(verdict.Rules{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if f.Verdict.Answer != model.Faster || !f.Counts[0].Fell() || len(f.Counted) != 3 || len(f.Samples) != len(s.units)-1 {
		t.Errorf("%s, %+v, %d units counted, %d of %d samples", f.Verdict.Answer, f.Counts, len(f.Counted), len(f.Samples), len(s.units))
	}
	if f.Before == nil || f.Before.Allocs != 5 || f.After.Allocs != 3 || f.Plan.N != plan.N {
		t.Errorf("%+v → %+v, %+v", f.Before, f.After, f.Plan)
	}
}

// A candidate that takes far longer gets fewer iterations, and the units of its
// counts, which have more, are none of the answer.
func TestCompareFits(t *testing.T) {
	tr, s := simulate(1, simulated{effect: 9, sd: 0.02})
	f, err := tr.Compare(t.Context(), comparison(verdict.Rules{}), nil)
	if err != nil || f.Plan.N >= plan.N || f.Samples[0][0].N != f.Plan.N || len(f.Counted) != 1 || len(f.Samples) != len(s.units)-1 {
		t.Errorf("N %d, of the first sample %d, %d counted, %v", f.Plan.N, f.Samples[0][0].N, len(f.Counted), err)
	}
}

// What counts said is not asked again, and what is asked may follow from it.
func TestCompareNarrows(t *testing.T) {
	tr, s := simulate(3, simulated{sd: 0.01, allocs: [2]uint64{5, 3}})
	counts, prior, err := tr.Counts(t.Context(), plan, &bench.Binary{}, &bench.Binary{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	ran := len(s.units)
	c := comparison(verdict.Rules{})
	c.Counts, c.Prior = counts, prior
	c.Narrow = func(r verdict.Rules, counts []model.Exact) verdict.Rules {
		if counts[0].Fell() {
			r.Floor, r.AtFloor, r.MinUnits = verdict.LayoutFloor, true, 12
		}
		return r
	}
	f, err := tr.Compare(t.Context(), c, nil)
	if err != nil || !f.FloorExcluded || f.Verdict.Units < 12 || len(s.units)-ran != len(f.Samples)-len(prior) {
		t.Errorf("floor excluded %v after %d units, %d run: %v", f.FloorExcluded, f.Verdict.Units, len(s.units)-ran, err)
	}
}

// The question is about the two binaries where the rules say so, and about their
// sources otherwise.
func TestCompareAsksAboutLayout(t *testing.T) {
	for own, want := range map[bool]model.Answer{true: model.Faster, false: model.Undecided} {
		tr, _ := simulate(1, simulated{effect: -0.1, sd: 0.01})
		f, err := tr.Compare(t.Context(), comparison(verdict.Rules{OwnLayout: own}), nil)
		if err != nil || f.Verdict.Answer != want || f.Layout == own {
			t.Errorf("of binaries %v: %s, taken back %v, %v", own, f.Verdict.Answer, f.Layout, err)
		}
	}
}

// A comparison goes on from its first stage without running a unit twice, and
// says what it would have said in one go.
func TestCompareGoesOn(t *testing.T) {
	c := comparison(verdict.Rules{Level: 0.95})
	whole, w := simulate(5, simulated{effect: 0.01, sd: 0.03})
	want, err := whole.Compare(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	tr, s := simulate(5, simulated{effect: 0.01, sd: 0.03})
	known, err := tr.Count(t.Context(), plan, c.Base, c.Cand, 0)
	if err != nil || known.Counts == nil {
		t.Fatal(known, err)
	}
	for _, most := range []int{3, 9} {
		first := c
		first.First, first.Known, first.Rules.Judge.MaxUnits = true, &known, most
		if known, err = tr.Compare(t.Context(), first, nil); err != nil || known.Verdict.Units != most || len(s.units) != most {
			t.Fatalf("%d units, %d run, %v", known.Verdict.Units, len(s.units), err)
		}
	}
	c.Known = &known
	got, err := tr.Compare(t.Context(), c, nil)
	if err != nil || got.Verdict.Change != want.Verdict.Change || got.Verdict.Evidence != want.Verdict.Evidence || len(s.units) != len(w.units) {
		t.Errorf("%+v after %d units, want %+v after %d; %v", got.Verdict, len(s.units), want.Verdict, len(w.units), err)
	}
}

// That a comparison is asked in several goes makes no claim more likely where
// there is no difference.
func TestCompareInGoesIsNoMoreOftenWrong(t *testing.T) {
	const runs = 60
	wrong := 0
	for seed := range uint64(runs) {
		tr, _ := simulate(seed, simulated{sd: 0.03})
		c := comparison(verdict.Rules{OwnLayout: true})
		known, err := tr.Count(t.Context(), plan, c.Base, c.Cand, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int{8, 20, 60} {
			c.Known, c.Rules.Judge.MaxUnits = &known, most
			if known, err = tr.Compare(t.Context(), c, nil); err != nil {
				t.Fatal(err)
			}
		}
		if a := known.Verdict.Answer; a == model.Faster || a == model.Slower {
			wrong++
		}
	}
	if limit := 0.05*runs + 4*math.Sqrt(0.05*runs); float64(wrong) > limit {
		t.Errorf("%d of %d comparisons of equals claim a difference", wrong, runs)
	}
}

// What the default link gives stands beside the verdict where it is another.
func TestCompareBesideDefault(t *testing.T) {
	for _, tt := range []struct {
		rules verdict.Rules
		want  int
	}{
		{verdict.Rules{}, 1},
		{verdict.Rules{OwnLayout: true}, 0},
		{verdict.Rules{Floor: 0.02, AtFloor: true, MinUnits: 8}, 0},
	} {
		l := &lucky{sd: 0.01, rng: rand.New(rand.NewPCG(1, 2))}
		c := comparison(tt.rules)
		c.Rules.Judge = judge.RegressRules()
		c.Base, c.Cand, c.Links, c.Counts = &bench.Binary{Path: "/nowhere/base"}, &bench.Binary{Path: "/nowhere/cand"}, l, []model.Exact{}
		f, err := New(l, 1).Compare(t.Context(), c, nil)
		if err != nil || len(f.Verdict.Warnings) != tt.want {
			t.Errorf("%+v: %s, %v, %v", tt.rules, f.Verdict.Answer, f.Verdict.Warnings, err)
		}
	}
}

func TestUnlike(t *testing.T) {
	v := model.Verdict{Change: 0.01, Lo: -0.01, Hi: 0.02}
	for _, tt := range []struct {
		changes []float64
		want    bool
	}{
		{[]float64{-0.15, -0.16, -0.2, -0.1}, true},
		{[]float64{0.15, 0.16, 0.2, 0.1}, true},
		{[]float64{-0.15, 0.16, 0.2, 0.1}, false},
		{[]float64{0.15, 0.16, 0.2, 0.01}, false},
		{[]float64{0.03, 0.03, 0.03, 0.03}, false},
	} {
		if _, got := unlike(tt.changes, v); got != tt.want {
			t.Errorf("%v: %v", tt.changes, got)
		}
	}
}
