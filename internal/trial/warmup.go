package trial

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// warmUpUnits is how many A/A units a warm-up takes. Four is what a plan
// within seconds allows; the noise found from so few is rough, and is taken
// from the high side.
const warmUpUnits = 4

// minSD is the least noise that a warm-up reports: four units that happen to
// agree do not make a machine noiseless. It is the noise of a pure ALU loop in
// duets on a quiet machine.
const minSD = 0.004

// WarmUp compares base with itself and says what this machine can see of this
// benchmark: the noise of a unit, what a unit costs, and the smallest
// difference that a trial of the given rules will find within budget. The last
// of the pairs it returns has half the iterations, for Slope.
func (t *Trial) WarmUp(ctx context.Context, p model.Plan, base *bench.Binary, rules judge.Rules, budget time.Duration) (model.Noise, [][2]model.Sample, error) {
	var ds []float64
	var pairs [][2]model.Sample
	start := time.Now()
	for i := range warmUpUnits {
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
	unit := time.Since(start) / warmUpUnits
	half, err := t.half(ctx, p, base, base)
	if err != nil {
		return model.Noise{}, pairs, err
	}
	pairs = append(pairs, half)
	n := model.Noise{Benchmark: p.Benchmark, Duets: warmUpUnits, DuetNs: float64(unit), SD: aaSD(ds)}
	units := rules.MaxUnits
	if unit > 0 {
		units = min(units, max(1, int(budget/unit)))
	}
	n.Sees, n.Seconds = 1, budget.Seconds() // too few units to see anything
	if sees := judge.Sees(n.SD, rules, units); sees < 1 {
		n.Sees = sees
		n.Seconds = unit.Seconds() * float64(min(units, judge.UnitsFor(n.SD, sees, rules)))
	}
	return n, pairs, nil
}

// aaSD estimates the standard deviation of log ratios whose mean is known to
// be zero, one A/A unit each. From so few it takes the root mean square, not
// a robust estimate: an outlier here is a fact about the machine.
func aaSD(ds []float64) float64 {
	var sum float64
	for _, d := range ds {
		sum += d * d
	}
	return max(minSD, math.Sqrt(sum/float64(len(ds))))
}

// Median returns the median of xs, and 0 for none.
func Median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(xs))
	if m := len(s) / 2; len(s)%2 == 1 {
		return s[m]
	} else {
		return (s[m-1] + s[m]) / 2
	}
}
