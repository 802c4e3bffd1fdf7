package optimize

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/words"
)

// A budget is the time of a run, and what of it is set aside.
type budget struct {
	total time.Duration
	start time.Time
	// compare is what comparing original and final needs, and the part of the budget
	// that it may have at most; nil for a run without that comparison.
	compare func() (need time.Duration, most float64)
	kept    func() int // how many changes are; nil for none
	tries   pace       // changes that were tried
}

// A pace is how long something took so far, each time.
type pace struct {
	n    int
	took time.Duration
}

func (p *pace) add(took time.Duration) { p.n, p.took = p.n+1, p.took+took }

// mean is zero where it was never done.
func (p *pace) mean() time.Duration { return p.took / time.Duration(max(1, p.n)) }

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

// forProving returns how much of it is left for a proof. The first may have what is set aside
// for comparing original and final: without it there may be nothing to compare. Others may have
// half of that.
func (b *budget) forProving() time.Duration {
	aside := endLeast
	if b.kept != nil && b.kept() > 0 {
		aside = max(aside, b.reserve()/2)
	}
	return max(0, b.left()-aside)
}

// next returns how long the next change is taken to last until its proof: half as long as
// those before it did.
func (b *budget) next() time.Duration { return b.tries.mean() / 2 }

// spent reports whether the budget is. A change that would not be judged in what is left is
// not begun. One that may have no time left for its proof is: most are refuted, and need none.
func (b *budget) spent() bool { return b.forTrying() <= b.next() }

// short says why no change was begun though there was time left, "" where there was none.
func (b *budget) short() string {
	left := b.forTrying()
	if left < time.Second {
		return ""
	}
	return fmt.Sprintf(": one takes about %s here, and %s were left", words.Seconds(b.tries.mean().Seconds()), words.Seconds(left.Seconds()))
}

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

// toTheEnd ends when the run has to, for a proof.
func (b *budget) toTheEnd(ctx context.Context, policy attempt.Policy) (context.Context, context.CancelFunc) {
	if policy.EndsRun() {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, b.forProving())
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

// leastReading is how long reading source may take at least: that a run was slow so
// far is no reason to end it with an error.
const leastReading = 30 * time.Second

// forReading is how long reading source may take.
func (b *budget) forReading() time.Duration { return max(leastReading, b.left()-endLeast) }

// errNoTime is why an attempt ended with the budget.
var errNoTime = errors.New("the time for trying was over")

// late reports whether what limited has ended is the time for trying.
func late(ctx, limited context.Context) bool { return ctx.Err() == nil && limited.Err() != nil }
