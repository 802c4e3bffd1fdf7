package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// perSide are the rules of the studies that the tables below come from: 5 %
// for each direction.
func perSide(r Rules, minEffect float64, units int) Rules {
	r.Alpha, r.MinEffect, r.MaxUnits = 0.10, minEffect, units
	return r
}

// within fails when a simulated share is further from the expected one than
// the sizes of both simulations allow.
func within(t *testing.T, what string, got, want float64, n, tableN int) {
	t.Helper()
	v := max(want*(1-want), 0.002)
	if limit := 4*math.Sqrt(v/float64(n)+v/float64(tableN)) + 0.005; math.Abs(got-want) > limit {
		t.Errorf("%s: %.3f, want %.3f ± %.3f", what, got, want, limit)
	}
}

// The adopt rules reproduce an earlier, independent simulation of the same
// process: the share of "faster" (at effect 0 the false ones) and the mean
// number of units.
func TestTableAdopt(t *testing.T) {
	rules := perSide(AdoptRules(), 0.01, 150)
	type row struct {
		noise  noise
		sd     float64 // of one arm
		effect float64
		faster float64
		units  float64
	}
	for _, c := range cases([]row{
		{gauss, 0.01, 0, 0.030, 20},
		{gauss, 0.01, -0.01, 0.98, 21},
		{gauss, 0.01, -0.02, 1, 9.2},
		{gauss, 0.01, -0.05, 1, 6.2},
		{gauss, 0.02, 0, 0.038, 63},
		{gauss, 0.02, -0.01, 0.91, 64},
		{gauss, 0.02, -0.02, 0.998, 21},
		{t3, 0.02, 0, 0.036, 48},
		{t3, 0.02, -0.01, 0.97, 46},
		{t3, 0.02, -0.02, 1, 16},
		{spikes, 0.01, 0, 0.028, 53},
		{spikes, 0.01, -0.01, 0.91, 54},
		{spikes, 0.01, -0.02, 1, 20},
	}...) {
		n := runs(300, 5000)
		got := simulate(1, n, rules, c.effect, scaled(c.noise, c.sd))
		what := fmt.Sprintf("%s σ=%g effect=%g", c.noise.name, c.sd, c.effect)
		t.Logf("%-32s faster %5.1f %%  slower %4.1f %%  units %5.1f (90 %%: %d)", what,
			100*got.share(Faster), 100*got.share(Slower), got.mean(), got.quantile(0.9))
		within(t, what, got.share(Faster), c.faster, n, 500)
		if math.Abs(got.mean()/c.units-1) > 0.15 {
			t.Errorf("%s: %.1f units on average, want %.1f", what, got.mean(), c.units)
		}
		if c.effect == 0 {
			atMost(t, what, got.answers[Faster], n, 0.05)
		}
	}
}

// The reason for two rule sets: with Adopt most slowdowns end as "no
// worthwhile effect", with Regress they are found.
func TestTableRuleSets(t *testing.T) {
	type row struct{ sd, effect, adopt, regress float64 }
	for _, c := range cases([]row{
		{0.025, 0.02, 0.23, 0.999},
		{0.032, 0.02, 0.16, 0.96},
		{0.041, 0.02, 0.10, 0.81},
		{0.025, 0.05, 0.84, 1},
		{0.032, 0.05, 0.72, 1},
		{0.041, 0.05, 0.57, 1},
	}...) {
		n := runs(300, 5000)
		what := fmt.Sprintf("sd=%g slowdown=%g", c.sd, c.effect)
		a := simulate(2, n, perSide(AdoptRules(), 0.01, 60), c.effect, pairs(gauss, c.sd))
		b := simulate(3, n, perSide(RegressRules(), 0.01, 60), c.effect, pairs(gauss, c.sd))
		t.Logf("%s: slower with adopt %.1f %%, with regress %.1f %%", what, 100*a.share(Slower), 100*b.share(Slower))
		within(t, what+" adopt", a.share(Slower), c.adopt, n, 500)
		within(t, what+" regress", b.share(Slower), c.regress, n, 500)
	}
}

// The default rules, for the table in the package comment. The thorough run
// prints it; the fast one looks at the corners that the defaults rest on.
func TestTableDefaults(t *testing.T) {
	effects := []float64{-0.05, -0.02, -0.01, 0, 0.01, 0.02, 0.05}
	for _, rules := range []Rules{AdoptRules(), RegressRules()} {
		for _, sd := range []float64{0.016, 0.025, 0.032, 0.041} {
			for _, effect := range effects {
				if !*full && (sd != 0.025 || math.Abs(effect) == 0.01) {
					continue
				}
				n := runs(300, 4000)
				got := simulate(4, n, rules, effect, pairs(gauss, sd))
				what := fmt.Sprintf("%s sd=%.1f%% effect=%+.0f%%", rules.Kind, 100*sd, 100*effect)
				t.Logf("%s: faster %5.1f  none %5.1f  slower %5.1f  undecided %5.1f  units %4.1f", what,
					100*got.share(Faster), 100*got.share(NoEffect), 100*got.share(Slower), 100*got.share(Undecided), got.mean())
				if effect >= 0 {
					atMost(t, what+" faster", got.answers[Faster], n, rules.Alpha/2)
				}
				if effect <= 0 {
					atMost(t, what+" slower", got.answers[Slower], n, rules.Alpha/2)
				}
				if effect <= -rules.MinEffect || (rules.Kind == Regress && effect >= rules.MinEffect) {
					atMost(t, what+" no effect", got.answers[NoEffect], n, rules.Beta)
				}
				if rules.Kind == Regress && sd == 0.025 && math.Abs(effect) == 0.02 && got.share(Slower)+got.share(Faster) < 0.92 {
					t.Errorf("%s is found in only %.1f %%", what, 100*got.share(Slower))
				}
			}
		}
	}
}

// A true effect on the wrong side is claimed no more often than none at all,
// whatever the noise.
func TestCompositeNull(t *testing.T) {
	for _, noise := range []noise{gauss, t3, spikes} {
		for _, effect := range []float64{0, 0.002, 0.01} {
			n := runs(300, 10000)
			rules := perSide(RegressRules(), 0.05, 100)
			got := simulate(5, n, rules, effect, scaled(noise, 0.01))
			atMost(t, fmt.Sprintf("%s, true effect %+g, called faster", noise.name, effect), got.answers[Faster], n, 0.05)
			mirrored := simulate(6, n, rules, -effect, scaled(noise, 0.01))
			atMost(t, fmt.Sprintf("%s, true effect %+g, called slower", noise.name, -effect), mirrored.answers[Slower], n, 0.05)
		}
	}
}

// With labels drawn by a coin the sign of every unit is fair, and nothing
// else is needed: not independence, not equal spread, not even sizes that do
// not react to earlier signs.
func TestSharpNull(t *testing.T) {
	sizes := map[string]func(i int, last float64) float64{
		"grows":           func(i int, _ float64) float64 { return math.Pow(1.1, float64(i)) },
		"shrinks":         func(i int, _ float64) float64 { return math.Pow(0.9, float64(i)) },
		"bursts":          func(i int, _ float64) float64 { return 1 + 50*float64(i/10%2) },
		"follows losses":  func(_ int, last float64) float64 { return 1 + 20*max(0, -last) },
		"one giant":       func(i int, _ float64) float64 { return 1 + 1000*float64(i/20%2) },
		"constant":        func(int, float64) float64 { return 1 },
		"rests on ties":   func(i int, _ float64) float64 { return float64(min(1, i%3)) },
		"first ones tiny": func(i int, _ float64) float64 { return 1e-6 + float64(i/5) },
	}
	for name, size := range sizes {
		r := rand.New(rand.NewPCG(8, 1))
		n, wrong := runs(1000, 20000), 0
		for range n {
			p := newProcess(0)
			last := 0.0
			for i := range 100 {
				last = float64(1-2*r.IntN(2)) * size(i, last/1000)
				p.add(last / 1000)
			}
			if p.top[above] >= 20 {
				wrong++
			}
		}
		atMost(t, "sizes: "+name, wrong, n, 0.05)
	}
}

// An advantage of the first process of a pair becomes a false claim when the
// candidate is always second, and noise when a coin decides.
func TestSlotEffect(t *testing.T) {
	const slot, sd = 0.005, 0.01
	n := runs(300, 5000)
	rules := perSide(RegressRules(), 0.001, 150)
	fixed := simulate(9, n, rules, 0, func(r *rand.Rand) float64 { return slot + sd*gauss.draw(r) })
	coin := simulate(10, n, rules, 0, func(r *rand.Rand) float64 {
		return slot*float64(1-2*r.IntN(2)) + sd*gauss.draw(r)
	})
	t.Logf("slower: fixed order %.1f %%, coin %.1f %%", 100*fixed.share(Slower), 100*coin.share(Slower))
	within(t, "slower in a fixed order", fixed.share(Slower), 0.94, n, 500)
	atMost(t, "slower in random order", coin.answers[Slower], n, 0.05)
}

// The interval holds the truth when the sequence stops because of its result.
func TestCoverage(t *testing.T) {
	for _, rules := range []Rules{AdoptRules(), RegressRules()} {
		for _, noise := range []noise{gauss, t3, spikes} {
			for _, effect := range cases(0, -0.01, 0.02, -0.05) {
				n := runs(200, 5000)
				got := simulate(11, n, rules, effect, scaled(noise, 0.02))
				what := fmt.Sprintf("%s, %s, %+g: outside the interval", rules.Kind, noise.name, effect)
				t.Logf("%s: %.2f %%, drifted %d", what, 100*float64(got.missed)/float64(n), got.drifted)
				atMost(t, what, got.missed, n, rules.Alpha)
			}
		}
	}
}

// TestTableCourse repeats the simulation that the planning formulas were
// fitted to.
func TestTableCourse(t *testing.T) {
	thresholds := []float64{20, 40, 100, 400, 4000}
	effects := []float64{0.3, 0.5, 1, 2, 4}
	if *full {
		effects = []float64{0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1, 1.5, 2, 3, 4, 6}
	}
	for _, r := range effects {
		reached := courses(r, thresholds, runs(300, 2000))
		for i, limit := range thresholds {
			units := reached[i]
			slices.Sort(units)
			sum := 0
			for _, u := range units {
				sum += u
			}
			mean, most := float64(sum)/float64(len(units)), float64(units[len(units)*9/10])
			fitMean, fitMost := meanCourse.units(r, limit), mostCourse.units(r, limit)
			t.Logf("effect %4.2f sd, e-value %5g: mean %6.1f (formula %6.1f), nine in ten within %4g (%6.1f)",
				r, limit, mean, fitMean, most, fitMost)
			if math.Abs(fitMean/mean-1) > 0.12 || math.Abs(fitMost/most-1) > 0.2 {
				t.Errorf("effect %g sd, e-value %g: mean %.1f, formula %.1f; nine in ten %g, formula %.1f", r, limit, mean, fitMean, most, fitMost)
			}
			if back := mostCourse.ratio(fitMost, limit); math.Abs(back/r-1) > 1e-6 {
				t.Errorf("the inverse of the formula gives %g for %g", back, r)
			}
		}
	}
}

// courses returns, per threshold, how many units each of n sequences took.
func courses(r float64, thresholds []float64, n int) [][]int {
	rnd := rand.New(rand.NewPCG(12, 1))
	reached := make([][]int, len(thresholds))
	for range n {
		p := newProcess(0)
		for i := range thresholds {
			for p.top[above] < thresholds[i] {
				p.add(r + rnd.NormFloat64())
			}
			reached[i] = append(reached[i], len(p.past))
		}
	}
	return reached
}
