package judge

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// A CountAnswer is what can be said about a count, such as allocs/op.
type CountAnswer string

// The answers about counts.
const (
	Equal   CountAnswer = "equal"
	Differs CountAnswer = "differs"
	Noisy   CountAnswer = "noisy" // an arm disagrees with itself: nothing is claimed
)

// ConfirmRuns is how many runs of each arm a difference should rest on. One
// run cannot show that an arm agrees with itself.
const ConfirmRuns = 3

// A CountDecision compares a count that does not vary between runs at equal
// iterations.
type CountDecision struct {
	Answer    CountAnswer
	Base      float64 // the base's count per op: the median of its runs
	Candidate float64
	Runs      int // of the arm with fewer runs
}

// Confirmed reports whether the answer rests on enough runs: one for equal,
// ConfirmRuns of each arm for differs. Noisy is never in doubt.
func (d CountDecision) Confirmed() bool { return d.Answer != Differs || d.Runs >= ConfirmRuns }

// Counts compares counts per op of runs at the same number of iterations.
// They are exact, so no statistics are needed: the runs of each arm lie within
// tolerance of each other or the count is noisy (pools, maps, goroutines); the
// arms lie within tolerance or they differ. The tolerance is for what the
// benchmark's own frame adds to a few iterations: 0.005 allocs/op and
// 0.5 B/op are sensible.
//
// It returns an error when an arm has no runs or a count is not a finite
// number that is at least 0.
func Counts(base, candidate []float64, tolerance float64) (CountDecision, error) {
	b, bSpread, err := agree(base)
	if err != nil {
		return CountDecision{}, fmt.Errorf("base: %w", err)
	}
	c, cSpread, err := agree(candidate)
	if err != nil {
		return CountDecision{}, fmt.Errorf("candidate: %w", err)
	}
	d := CountDecision{Answer: Differs, Base: b, Candidate: c, Runs: min(len(base), len(candidate))}
	switch {
	case bSpread > tolerance || cSpread > tolerance:
		d.Answer = Noisy
	case math.Abs(b-c) <= tolerance:
		d.Answer = Equal
	}
	return d, nil
}

// agree returns the median of an arm's counts and the distance of its extremes.
func agree(counts []float64) (median, spread float64, err error) {
	if len(counts) == 0 {
		return 0, 0, errors.New("no runs to count")
	}
	for i, x := range counts {
		if !(x >= 0) || math.IsInf(x, 0) {
			return 0, 0, fmt.Errorf("run %d: %v is not a count", i+1, x)
		}
	}
	sorted := slices.Clone(counts)
	slices.Sort(sorted)
	return sortedMedian(sorted), sorted[len(sorted)-1] - sorted[0], nil
}
