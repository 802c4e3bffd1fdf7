package trial

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// mostTries is how often a unit is run until both of its arms come to a result.
const mostTries = 12

// A candidate is refuted by its failures when there are leastFailures of them,
// and failureWeight more for each of the base's. Both arms run equally often, so
// that a failure that has nothing to do with the change is as likely on either
// side: each of the candidate's makes 1.8 times as likely that it is not, each
// of the base's a fifth as likely. The product is 34 then at least, and by
// Ville's inequality chance brings it there in one benchmark in 34 of those that
// fail at all, however often one looks.
//
// With doubtFailures there is no proof yet, and no peace either: chance brings
// that far one of six at most. Such a change is not kept.
const (
	leastFailures = 6
	doubtFailures = 3
	failureWeight = 3
)

// Unsteady is how often a benchmark came to no result that can: by b.Fatal or a
// panic that depends on time, on chance or on the machine. As an error it says
// that no unit of it could be measured, and whose doing that is remains open.
type Unsteady struct {
	Benchmark model.Benchmark
	// Base and Cand are the units in which either side failed. In a comparison
	// of the base with itself all of them are the base's.
	Base, Cand int
	Last       *bench.Failure
}

func (u *Unsteady) Error() string {
	return fmt.Sprintf("%s failed in %d tries, one after the other; so far %s: %v", u.Benchmark, mostTries, u.Sides(), u.Last)
}

func (u *Unsteady) Unwrap() error { return u.Last }

// Warning reports that a benchmark failed which was measured all the same.
func (u *Unsteady) Warning() model.Warning {
	seen := fmt.Sprintf("%s came to no result %s, and was run again each time: it %s", u.Benchmark, u.Sides(), u.Last.Why)
	if line, _, _ := strings.Cut(u.Last.Output, "\n"); line != "" {
		seen += ": " + strings.TrimSpace(line)
	}
	cause := "it depends on time, on chance or on the machine"
	switch {
	case u.refutes():
		cause = "the change breaks it: chance hardly brings so many failures to one side"
	case u.doubtful():
		cause = "the change most likely breaks it"
	case u.Cand > u.Base:
		cause += "; a change can make it so, too"
	}
	return model.Warning{
		Seen:  seen,
		Cause: cause,
		Try:   "go test -count=20 -run '^$' -bench '" + u.Benchmark.Regexp() + "' " + u.Benchmark.Pkg + ", before and after",
	}
}

// Sides says how often the benchmark failed on which side.
func (u *Unsteady) Sides() string {
	switch {
	case u.Cand == 0:
		return words.Times(u.Base) + " on the base"
	case u.Base == 0:
		return words.Times(u.Cand) + " on the candidate, never on the base"
	}
	return words.Times(u.Cand) + " on the candidate, " + words.Times(u.Base) + " on the base"
}

// refutes reports whether the failures are the candidate's doing.
func (u *Unsteady) refutes() bool { return u.Cand >= leastFailures+failureWeight*u.Base }

// doubtful reports whether the failures may well be the candidate's doing.
func (u *Unsteady) doubtful() bool { return u.Cand >= doubtFailures+failureWeight*u.Base }

// refuted is the error of a candidate that is refuted by its failures, the last of
// which is f, in the try that follows the latest result.
func (u *Unsteady) refuted(try int, f *bench.Failure) error {
	switch {
	case u.Base > 0:
		return fmt.Errorf("%s: %w", u.Sides(), f)
	case try == u.Cand:
		return fmt.Errorf("with the change it fails (%d of %d tries), without it it passes: %w", u.Cand, try, f)
	}
	return fmt.Errorf("with the change it fails (%d times), without it it passes: %w", u.Cand, f)
}

// Doubt returns a benchmark that failed so much more often on the candidate that
// the change may be why, or nil. It looks at what Unsteady returns next.
func (t *Trial) Doubt() *Unsteady {
	for _, u := range t.unsteady() {
		if u.doubtful() {
			return u
		}
	}
	return nil
}

// Unsteady returns the benchmarks that failed since it was called last, in order.
// The failures of a candidate count together until then.
func (t *Trial) Unsteady() []*Unsteady {
	defer clear(t.failed)
	return t.unsteady()
}

func (t *Trial) unsteady() []*Unsteady {
	return slices.SortedFunc(maps.Values(t.failed), func(a, b *Unsteady) int {
		return strings.Compare(a.Benchmark.String(), b.Benchmark.String())
	})
}

// run runs one unit in an order that is drawn, and again where an arm fails.
func (t *Trial) run(ctx context.Context, p model.Plan, base, cand *bench.Binary, u Unit) (pair [2]model.Sample, err error) {
	err = t.Again(p.Benchmark, base == cand, func() (err error) {
		u.BaseFirst = t.coin.IntN(2) == 0
		pair, err = t.runner.Unit(ctx, p, base, cand, u)
		return err
	})
	return pair, err
}

// Again takes a step, which runs a benchmark on both sides, until neither fails.
// The error is a *bench.Failure where the candidate is refuted by its failures,
// and *Unsteady, which wraps one, where the step never comes to its end. Where
// same is set both sides are the base. A side that was ended because its time was
// over is not run again: that would take as long each time.
func (t *Trial) Again(bm model.Benchmark, same bool, step func() error) error {
	for try := 1; ; try++ {
		err := step()
		var f *bench.Failure
		if !errors.As(err, &f) || f.Late || f.Arm == "" {
			return err
		}
		u := t.failed[bm]
		if u == nil {
			u = &Unsteady{Benchmark: bm}
			t.failed[bm] = u
		}
		u.Last = f
		if same || f.Arm == model.Base {
			u.Base++
		} else {
			u.Cand++
		}
		switch {
		case u.refutes():
			return u.refuted(try, f)
		case try == mostTries:
			return u
		}
	}
}
