package trial

import (
	"context"
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// Counts compares allocs/op and B/op. At the same number of iterations they
// repeat exactly, so that one unit suffices where nothing differs; where
// something does, two further units must say the same on both sides, or the
// count is noisy (pools, maps and goroutines make it so). Of one whose medians
// lie apart more units are run, for its Trend: as many as it takes for one to be
// seen by chance with a probability of alpha at most, both ways, and for 1
// the least that says anything; with 0 nobody asks. A last unit of half the iterations then takes
// off what does not grow with them, such as a buffer that is made once: see
// verdict.Slope. Counts that are equal do without it where allocs/op is a whole number.
func (t *Trial) Counts(ctx context.Context, p model.Plan, base, cand *bench.Binary, alpha float64) ([]model.Exact, [][2]model.Sample, error) {
	var pairs [][2]model.Sample
	for i := range 3 {
		pair, err := t.run(ctx, p, base, cand, Unit{Index: i, Fresh: i == 0})
		if err != nil {
			return nil, pairs, err
		}
		pairs = append(pairs, pair)
		first := verdict.Counts(pairs, 1)
		if i == 0 && first[0].Equal() && first[1].Equal() {
			if whole(first[0]) {
				return first, pairs, nil
			}
			break // what a slice allocates once may be in it
		}
	}
	counts := verdict.Counts(pairs, 1)
	units := 0
	if alpha > 0 {
		units = verdict.TrendPairs(alpha)
	}
	for len(pairs) < units && slices.ContainsFunc(counts, verdict.Apart) {
		pair, err := t.run(ctx, p, base, cand, Unit{Index: len(pairs)})
		if err != nil {
			return nil, pairs, err
		}
		pairs = append(pairs, pair)
		counts = verdict.Counts(pairs, alpha)
	}
	half, err := t.half(ctx, p, base, cand)
	if err != nil {
		return nil, pairs, err
	}
	return growing(counts, pairs[len(pairs)-1], half), pairs, nil
}

// growing takes off counts of a full unit, by one of half its iterations, what
// does not grow with them.
func growing(counts []model.Exact, full, half [2]model.Sample) []model.Exact {
	for i := range counts {
		counts[i] = withoutOnce(counts[i], full, half)
	}
	return counts
}

// whole reports whether a count per op is a whole number on both sides: then
// nothing that is allocated once is in it that counts.
func whole(e model.Exact) bool {
	return math.Abs(e.Before-math.Round(e.Before)) <= e.Tolerance && math.Abs(e.After-math.Round(e.After)) <= e.Tolerance
}

// withoutOnce takes off a count what does not grow with the iterations. One that
// is equal stays so: what the runtime allocates weighs twice as much in the
// difference of two slices, and the tolerance is for one.
func withoutOnce(e model.Exact, full, half [2]model.Sample) model.Exact {
	if e.Noisy {
		return e
	}
	before, after := verdict.Slope(e.Metric, full[0], half[0], e.Before), verdict.Slope(e.Metric, full[1], half[1], e.After)
	if e.Equal() {
		after = max(0, before+(e.After-e.Before))
	}
	e.Before, e.After = before, after
	return e
}

// half runs a unit of half the iterations.
func (t *Trial) half(ctx context.Context, p model.Plan, base, cand *bench.Binary) ([2]model.Sample, error) {
	p.N = max(2, p.N/2)
	return t.run(ctx, p, base, cand, Unit{})
}
