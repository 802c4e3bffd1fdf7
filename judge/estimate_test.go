package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// onLinks is the noise of a pair of fresh links: the luck of both layouts, 2 %
// each, and the mean of three duets on them, 3.2 % each.
func onLinks(r *rand.Rand) float64 {
	return 0.02*gauss.draw(r) + 0.032*r.NormFloat64()/math.Sqrt(3)
}

// What a sequence says at its end is too large for small effects. Drawn towards
// zero it is nearer to the truth, and large effects are left as they are.
func TestTableEstimates(t *testing.T) {
	noises := []struct {
		name string
		draw func(*rand.Rand) float64
	}{
		{"duets, sd 2.5 %", pairs(gauss, 0.025)}, {"links, sd 3.4 %", onLinks},
		{"duets, sd 1.6 %", pairs(gauss, 0.016)}, {"duets, sd 2.5 %, t3", pairs(t3, 0.025)},
	}
	for _, rules := range []Rules{RegressRules(), AdoptRules()} {
		for _, noise := range noises[:runs(2, len(noises))] {
			for _, effect := range cases(0.01, 0.015, 0.02, 0.05, 0.10) {
				truth := math.Log1p(effect)
				if rules.Kind == Adopt {
					truth = math.Log1p(-effect)
				}
				got := simulate(13, runs(400, 4000), rules, truth, noise.draw)
				what := fmt.Sprintf("%s, %s, %g %%", rules.Kind, noise.name, 100*effect)
				checkEstimates(t, what, got, truth)
			}
		}
	}
}

// checkEstimates prints how much of the truth the estimates are, before and
// after shrinking: those of claims, of claims within ten units, and of all
// sequences.
func checkEstimates(t *testing.T, what string, got tally, truth float64) {
	t.Helper()
	claims := got.estimates(func(e end) bool { return e.claim }, truth)
	early := got.estimates(func(e end) bool { return e.claim && e.units <= 10 }, truth)
	all := got.estimates(func(end) bool { return true }, truth)
	t.Logf("%-34s claims %s; early %s; all %s", what, claims, early, all)
	if claims.plain > 1.1 && math.Abs(claims.shown-1) > 0.8*(claims.plain-1) || claims.plain > 1.1 && claims.offShown > claims.offPlain {
		t.Errorf("%s: shrinking is of little use to claims", what)
	}
	if early.n > 20 && early.plain > 1.2 && early.shown > 0.95*early.plain {
		t.Errorf("%s: shrinking is of little use to early claims", what)
	}
	if claims.shown < 0.9 || all.shown < 0.85 {
		t.Errorf("%s: too much is taken off", what)
	}
	if math.Abs(truth) > 0.04 && math.Abs(claims.shown-1) > 0.05 {
		t.Errorf("%s: shrinking changes large effects", what)
	}
}

// The estimate lies in its interval and has the sign of its claim.
func TestEstimateWithinInterval(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for run := range runs(150, 2000) {
		s := NewSequence([]Rules{RegressRules(), AdoptRules()}[run%2])
		effect, noise := 0.03*r.NormFloat64(), []noise{gauss, t3, spikes}[run%3]
		for range 8 + r.IntN(40) {
			addAll(t, s, effect+0.02*noise.draw(r))
		}
		d := s.Decision()
		if d.Estimate < d.Lo || d.Estimate > d.Hi {
			t.Errorf("run %d: %v is not in [%v, %v]", run, d.Estimate, d.Lo, d.Hi)
		}
		if d.Answer == Faster && d.Estimate >= 0 || d.Answer == Slower && d.Estimate <= 0 {
			t.Errorf("run %d: %s by %v", run, d.Answer, d.Estimate)
		}
	}
}

func TestShrunk(t *testing.T) {
	for _, c := range []struct{ x, se, lo, hi float64 }{
		{0, 0.01, 0, 0},
		{0.05, 0, 0.05, 0.05},                // without noise nothing is taken off
		{0.02, 0.008, 0.012, 0.016},          // 2.5 standard errors
		{0.05, 0.01, 0.048, 0.05},            // five
		{-0.7, 0.02, -0.7, -0.699},           // half the time
		{5, 0.01, 4.999, 5},                  // far beyond the widest scale
		{1455, 1, 700, 1455},                 // the largest log ratio
		{1e-9, 1e-12, 1e-9 - 1e-15, 1e-9},    // far below the smallest
		{-1455, 1e-300, -1455.1, -1454.9999}, // no underflow
	} {
		got := shrunk(c.x, c.se)
		if !(got >= c.lo-1e-15 && got <= c.hi+1e-15) {
			t.Errorf("shrunk(%v, %v) = %v, want it in [%v, %v]", c.x, c.se, got, c.lo, c.hi)
		}
		if mirrored := shrunk(-c.x, c.se); mirrored != -got {
			t.Errorf("shrunk(%v, %v) = %v, and of the opposite %v", c.x, c.se, got, mirrored)
		}
	}
}
