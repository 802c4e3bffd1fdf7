package optimize

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
)

// A budget is the time of a run, and what of it is set aside.
type budget struct {
	total time.Duration
	start time.Time
	// compare is what comparing original and final needs, and the part of the budget
	// that it may have at most; nil for a run without that comparison.
	compare func() (need time.Duration, most float64)
	tries   int           // changes that were tried
	trying  time.Duration // how long that took
}

// left returns how much of the budget is left.
func (b *budget) left() time.Duration { return b.total - time.Since(b.start) }

// forTrying returns how much of it is left for finding and trying.
func (b *budget) forTrying() time.Duration { return max(0, b.left()-b.reserve()) }

// reserve is what is set aside for ending in order: writing what was found, and
// comparing original and final where something was kept or may yet be.
func (b *budget) reserve() time.Duration {
	if b.compare == nil {
		return endLeast
	}
	need, most := b.compare()
	return min(endLeast+need, time.Duration(most*float64(b.total)))
}

// spent reports whether the budget is. What cannot come to an end in it is not begun:
// the next change is taken to last half as long as those before it did, proofs apart.
func (b *budget) spent() bool {
	if b.tries == 0 {
		return b.forTrying() <= 0
	}
	return b.forTrying() <= b.trying/time.Duration(2*b.tries)
}

// tried notes how long a change took that was begun at from.
func (b *budget) tried(from time.Time) { b.tries, b.trying = b.tries+1, b.trying+time.Since(from) }

// tryGrace is how much longer than the time for trying what is under way may
// take.
const tryGrace = 2 * time.Second

// limited ends with the time for trying: builds, tests and proofs, which know of
// no budget, end with it. A run about one change alone has all of its time for
// that.
func (b *budget) limited(ctx context.Context, policy attempt.Policy) (context.Context, context.CancelFunc) {
	if policy.EndsRun() {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, b.forTrying()+tryGrace)
}

// toTheEnd ends when the run has to. A proof may take what was set aside for
// comparing original and final: without it there may be nothing to compare.
func (b *budget) toTheEnd(ctx context.Context, policy attempt.Policy) (context.Context, context.CancelFunc) {
	if policy.EndsRun() {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, max(0, b.left()-endLeast))
}

// Parts of the budget of one change: what ends in order takes endShare and the
// comparison of original and final, for a change that is kept, finishShare.
const (
	endShare    = 0.03
	finishShare = 0.15
	leastEnd    = time.Second
)

// within returns ctx with the end of the budget, less a share that is set aside.
func (b *budget) within(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	aside := max(time.Duration(share*float64(b.total)), leastEnd)
	return context.WithDeadline(ctx, b.start.Add(b.total-aside))
}

// leastReading is how long reading source may take at the least: that a run was slow so
// far is no reason to end it with an error.
const leastReading = 30 * time.Second

// forReading is how long reading source may take.
func (b *budget) forReading() time.Duration { return max(leastReading, b.left()-endLeast) }

// errNoTime is why an attempt ended with the budget.
var errNoTime = errors.New("the time for trying was over")

// late reports whether what limited has ended is the time for trying.
func late(ctx, limited context.Context) bool { return ctx.Err() == nil && limited.Err() != nil }
