package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What Sees promises is found about nine times in ten.
func TestSeesBySimulation(t *testing.T) {
	type row struct {
		rules Rules
		sd    float64
		units int
	}
	for _, c := range cases([]row{
		{AdoptRules(), 0.025, 60},
		{AdoptRules(), 0.025, 20},
		{AdoptRules(), 0.005, 30}, // bound by MinEffect
		{RegressRules(), 0.032, 60},
		{RegressRules(), 0.05, 15},
		{Rules{Kind: Adopt, Alpha: 0.01, Beta: 0.05, MinEffect: 0.01, MaxUnits: 200}, 0.04, 100},
	}...) {
		rules := c.rules
		rules.MaxUnits = c.units
		sees := Sees(c.sd, rules, c.units)
		effect, want := math.Log1p(sees), Slower
		if rules.Kind == Adopt {
			effect, want = math.Log1p(-sees), Faster
		}
		n := runs(300, 4000)
		for _, noise := range []noise{gauss, t3, spikes} {
			got := simulate(21, n, rules, effect, scaled(noise, c.sd/robustSD(noise)))
			what := fmt.Sprintf("%s sd=%g units=%d sees %.2f %% under %s", rules.Kind, c.sd, c.units, 100*sees, noise.name)
			t.Logf("%s: found %.1f %%", what, 100*got.share(want))
			least := map[string]float64{"gauss": 0.80, "t3": 0.65, "spikes": 0.35}[noise.name]
			if p := got.share(want); p < least || (p > 0.97 && sees > rules.MinEffect) {
				t.Errorf("%s: found in %.3f of sequences", what, p)
			}
		}
	}
}

// robustSD returns the standard deviation that a pair of arms seems to have
// from its median absolute deviation, as Decision.NoiseSD would report it.
func robustSD(n noise) float64 {
	r := rand.New(rand.NewPCG(23, 1))
	units := make([]float64, 50000)
	for i := range units {
		units[i] = n.draw(r)
	}
	slices.Sort(units)
	return madSD(units)
}

func TestSeesLimits(t *testing.T) {
	rules := AdoptRules()
	if got := Sees(0.02, rules, rules.MinUnits()-1); !math.IsInf(got, 1) {
		t.Errorf("with too few units to answer it sees %v, want +Inf", got)
	}
	if got := Sees(0, rules, 60); got != rules.MinEffect {
		t.Errorf("without noise it sees %v, want the smallest effect of interest", got)
	}
	if got := Sees(100, rules, 8); got > 1 {
		t.Errorf("sees an improvement of %v: more than everything", got)
	}
	last := math.Inf(1)
	for n := rules.MinUnits(); n < 300; n++ {
		got := Sees(0.05, rules, n)
		if got > last || got <= 0 {
			t.Fatalf("with %d units it sees %v, with one less %v", n, got, last)
		}
		last = got
	}
}

func TestUnitsForBySimulation(t *testing.T) {
	adopt, regress := AdoptRules(), RegressRules()
	adopt.MaxUnits, regress.MaxUnits = 400, 400
	type row struct {
		rules      Rules
		sd, effect float64
	}
	for _, c := range cases([]row{
		{adopt, 0.025, 0}, {adopt, 0.025, 0.02}, {adopt, 0.025, 0.05}, {adopt, 0.025, 0.10},
		{adopt, 0.01, 0}, {adopt, 0.01, 0.003},
		{regress, 0.025, 0}, {regress, 0.025, 0.05}, {regress, 0.025, 0.01}, {regress, 0.032, 0.03},
	}...) {
		want := float64(UnitsFor(c.sd, c.effect, c.rules))
		effect := math.Log1p(-c.effect)
		if c.rules.Kind == Regress {
			effect = math.Log1p(c.effect)
		}
		got := simulate(22, runs(200, 4000), c.rules, effect, pairs(gauss, c.sd)).mean()
		t.Logf("%s sd=%g effect=%g: %.1f units, expected %g", c.rules.Kind, c.sd, c.effect, got, want)
		if math.Abs(want/got-1) > 0.3 {
			t.Errorf("%s sd=%g effect=%g: %.1f units, expected %g", c.rules.Kind, c.sd, c.effect, got, want)
		}
	}
}

func TestUnitsForLimits(t *testing.T) {
	rules := AdoptRules()
	for _, c := range []struct {
		sd, effect float64
		want       int
	}{
		{0, 0, rules.MinUnits()},
		{0.0001, 0.5, rules.MinUnits()},
		{10, 0, rules.MaxUnits},
		{0.025, rules.MinEffect, rules.MaxUnits},
	} {
		if got := UnitsFor(c.sd, c.effect, rules); got != c.want {
			t.Errorf("UnitsFor(%g, %g) = %d, want %d", c.sd, c.effect, got, c.want)
		}
	}
}
