package trial

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// warmUpUnits is how many A/A units a warm-up takes. Four is what a plan
// within seconds allows; the noise found from so few is rough, and is taken
// from the high side. Two are enough where twice the noise that they show would
// hide nothing that is looked for, or where they took a good part of what a trial may take.
const (
	warmUpUnits = 4
	leastUnits  = 2
	warmUpShare = 4 // the part of the budget of a trial
)

// WarmUp compares base with itself and says what this machine can see of this
// benchmark: the noise of a unit, what a unit costs, and the smallest
// difference that a trial of the given rules will find within budget. The last
// of the pairs it returns has half the iterations, for Slope.
func (t *Trial) WarmUp(ctx context.Context, p model.Plan, base *bench.Binary, rules judge.Rules, budget time.Duration) (model.Noise, [][2]model.Sample, error) {
	var ds []float64
	var pairs [][2]model.Sample
	start := time.Now()
	for i := range warmUpUnits {
		took := time.Since(start)
		if i >= leastUnits && (took > budget/warmUpShare || sees(2*verdict.NoiseSD(ds), rules, budget, took/time.Duration(i)) <= rules.MinEffect) {
			break
		}
		pair, err := t.run(ctx, p, base, base, Unit{Index: i, Fresh: i == 0})
		if err != nil {
			return model.Noise{}, pairs, err
		}
		d, err := logRatio(p, pair)
		if err != nil {
			return model.Noise{}, pairs, err
		}
		ds, pairs = append(ds, d), append(pairs, pair)
	}
	unit := time.Since(start) / time.Duration(len(ds))
	half, err := t.half(ctx, p, base, base)
	if err != nil {
		return model.Noise{}, pairs, err
	}
	pairs = append(pairs, half)
	return Noise(p.Benchmark, verdict.NoiseSD(ds), len(ds), unit, rules, budget), pairs, nil
}

// Noise says what a noise of sd hides, which rests on so many units that take a time
// each: the smallest difference that a trial of the given rules will find within budget.
func Noise(b model.Benchmark, sd float64, units int, unit time.Duration, rules judge.Rules, budget time.Duration) model.Noise {
	n := model.Noise{Benchmark: b, Duets: units, DuetNs: float64(unit), SD: sd}
	n.Sees, n.Seconds = 1, budget.Seconds() // too few units to see anything
	if sees := sees(sd, rules, budget, unit); sees < 1 {
		n.Sees = sees
		n.Seconds = unit.Seconds() * float64(min(unitsIn(budget, unit, rules), judge.UnitsFor(sd, sees, rules)))
	}
	return n
}

// Glance runs one unit of both sides, and one of half the iterations, for Slope: enough for
// their figures, and not for their noise.
func (t *Trial) Glance(ctx context.Context, p model.Plan, base, cand *bench.Binary) (n model.Noise, full, half [2]model.Sample, err error) {
	start := time.Now()
	if full, err = t.run(ctx, p, base, cand, Unit{Fresh: true}); err != nil {
		return n, full, half, err
	}
	n = model.Noise{Benchmark: p.Benchmark, Duets: 1, DuetNs: float64(time.Since(start)), Sees: 1}
	half, err = t.half(ctx, p, base, cand)
	return n, full, half, err
}

// Known reports whether noise is that of a warm-up, and not of a glance.
func Known(n model.Noise) bool { return n.Duets >= leastUnits }

// sees returns the smallest difference that is found within budget at a noise of sd, where a unit takes a time.
func sees(sd float64, rules judge.Rules, budget, unit time.Duration) float64 {
	return judge.Sees(sd, rules, unitsIn(budget, unit, rules))
}

// unitsIn is how many units a trial takes within budget at most.
func unitsIn(budget, unit time.Duration, rules judge.Rules) int {
	if unit <= 0 {
		return rules.MaxUnits
	}
	return min(rules.MaxUnits, max(1, int(budget/unit)))
}
