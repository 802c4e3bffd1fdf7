package optimize

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/words"
)

// A budget is the time of a run, and what of it is set aside. All that a run does goes on
// under a context that ends with it: what may take a least time, as a stage does in which
// little would come to nothing, has no more than what is left.
type budget struct {
	total time.Duration
	start time.Time
	crowd float64 // load average per CPU when the run began
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

// aside is set aside, before all else, to end in order: for the page, the journal and the
// files that go.
func (b *budget) aside() time.Duration { return testbed.AtEnd(b.total, b.crowd) }

// left returns how much of the budget is left before the run has to end in order.
func (b *budget) left() time.Duration { return b.total - b.aside() - time.Since(b.start) }

// leaving returns how much of it is left until no more than a share of the budget is; never less
// than 0.
func (b *budget) leaving(share float64) time.Duration {
	more := max(0, time.Duration(share*float64(b.total))-b.aside())
	return max(0, b.left()-more)
}

// within returns ctx with that end.
func (b *budget) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadline(ctx, b.start.Add(b.total-b.aside()))
}

// late reports whether ctx has ended with its time, and not by an interrupt.
func late(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }

// grant is how long a step may take that so much of what is left is meant for: least where that is
// more, as it comes to nothing in less. Where there is not as much, it ends with the run, and it
// is not the step that is to blame.
func grant(left time.Duration, share float64, least time.Duration) time.Duration {
	return max(time.Duration(share*float64(left)), least)
}

// forTrying returns how much of it is left for finding and trying.
func (b *budget) forTrying() time.Duration { return max(0, b.left()-b.reserve()) }

// reserve is what is set aside for comparing original and final where something was kept or
// may yet be.
func (b *budget) reserve() time.Duration {
	if b.compare == nil {
		return 0
	}
	need, most := b.compare()
	return min(need, time.Duration(most*float64(b.total)))
}

// forProving returns how much of it is left for a proof. The first may have what is set aside
// for comparing original and final: without it there may be nothing to compare. Others may have
// half of that.
func (b *budget) forProving() time.Duration {
	left := b.left()
	if b.kept != nil && b.kept() > 0 {
		left -= b.reserve() / 2
	}
	return max(0, left)
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

// finishShare is the part of the budget of one change that comparing original and final has,
// and what ends in order. What has to be shown before may take that, and three quarters of what
// is left are for it: without it there is nothing to compare.
const finishShare = 0.15
