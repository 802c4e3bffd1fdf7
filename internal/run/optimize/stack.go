package optimize

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// An unproven change has gained, and the run stands on it while the rest is
// shown: that it behaves as before. It is recorded when that is done, and what was
// tried on top of it after it. Where its proof fails, it goes, and what was tried
// on top of it counts as not tried. There is one at a time.
type unproven struct {
	t      *attempt.Attempt
	policy attempt.Policy
	number int
	proof  *attempt.Proof
	later  []later

	limited context.Context // that the proof is under
	cancel  context.CancelFunc
}

// A stack is what the run stands on: the version that it began with, and what was
// kept, each on top of the one before. The highest may still be unproven.
type stack struct {
	orig, now *state.State
	unproven  *unproven // what now is the state of, until it is proven

	m      *state.Module
	log    *ledger
	budget *budget
	offers *offers
	page   *page
	kept   *kept
}

// measured takes in the figures of a benchmark on the version that the run began with, for
// all that the run may come to stand on, too: a first estimate where these differ.
func (s *stack) measured(bm model.Benchmark, st model.Stats) {
	s.orig.Measured(bm, st)
	if s.now != s.orig {
		s.now.Measured(bm, st)
	}
	if s.unproven != nil {
		s.unproven.t.Base.Measured(bm, st)
	}
}

// A later attempt stands on a change that is not proven yet.
type later struct {
	t      *attempt.Attempt
	number int
}

// turn waits until the tree may change, and returns the number of the next change,
// which decides its part of the error rate. Changes that are forgotten with the one
// that they stand on give theirs back: that they are does not depend on what was
// measured of them, and nothing was claimed. So do proposals from outside that are
// refused before they are timed, lest a flood of them spends it.
func (s *stack) turn() int {
	number := 1
	for _, a := range s.log.run.Attempts {
		if a.Change.Kind != model.KindProposal || timed(a) {
			number++
		}
	}
	if s.unproven != nil {
		number += 1 + len(s.unproven.later)
		s.unproven.proof.Free()
	}
	return number
}

// timed reports whether any duet was run of a change.
func timed(a model.Attempt) bool {
	return slices.ContainsFunc(a.Verdicts, func(v model.Verdict) bool { return v.Units > 0 })
}

// take takes in an attempt that has come to its end. It is recorded here, or by settle
// when it is kept or stands on what is not proven.
func (s *stack) take(ctx context.Context, t *attempt.Attempt, number int, policy attempt.Policy) error {
	switch {
	case t.Outcome.Kept():
		return s.standOn(ctx, &unproven{t: t, policy: policy, number: number})
	case s.unproven != nil:
		s.unproven.later = append(s.unproven.later, later{t, number})
		return nil
	}
	return s.log.record(ctx, t, number)
}

// standOn makes a change what further changes stand on, and has the rest of it
// shown. What it stands on itself has to be proven first.
func (s *stack) standOn(ctx context.Context, u *unproven) error {
	if s.unproven != nil {
		if err := s.unproven.proof.Wait(); err != nil || !s.unproven.t.Outcome.Kept() {
			s.offers.tried[u.t.Change.ID] = false
			return errors.Join(u.t.Undo(), s.settle(ctx))
		}
		if err := s.settle(ctx); err != nil {
			return errors.Join(err, u.t.Undo())
		}
	}
	if err := s.confirm(ctx, u.t); err != nil {
		return errors.Join(err, u.t.Undo())
	}
	u.t.Follow()
	s.page.steps = append(s.page.steps, progress{u.t.Change, true, s.now, u.t.Next})
	s.now, s.unproven = u.t.Next, u
	u.limited, u.cancel = s.budget.toTheEnd(ctx, u.policy)
	u.proof = u.t.Prove(u.limited)
	if len(gocmd.Aside()) == 0 || !s.m.Beside() {
		return s.settle(ctx) // no core to spare, or tests that may write where the next change is built
	}
	return nil
}

// confirm has a change that is to be kept run with the stock testing package.
func (s *stack) confirm(ctx context.Context, t *attempt.Attempt) error {
	from := time.Now()
	err := t.Confirm(ctx)
	t.Lap("confirmation with the stock testing package", from)
	if err != nil && ctx.Err() == nil {
		t.Warnings = append(t.Warnings, model.Warning{
			Seen: "the change could not be confirmed with the stock testing package", Cause: err.Error(), Try: "run the benchmark by hand",
		})
	}
	return ctx.Err()
}

// settleEnded settles what is not proven yet, if its proof has ended, or else if
// there is nothing to do meanwhile.
func (s *stack) settleEnded(ctx context.Context, idle bool) error {
	if s.unproven == nil || !idle && !s.unproven.proof.Ended() {
		return nil
	}
	return s.settle(ctx)
}

// settle waits for the proof of the change that the run stands on, and records
// what came of it. The tree holds that change, or one on top of it if the proof
// has succeeded.
func (s *stack) settle(ctx context.Context) error {
	u := s.unproven
	if u == nil {
		return nil
	}
	if !u.proof.Ended() {
		s.m.Watch.Stage("proving that it behaves as before", u.t.Change.Title)
	}
	s.unproven = nil
	err := u.proof.Wait()
	s.budget.proofs.add(u.proof.Took)
	noTime := err != nil && late(ctx, u.limited)
	u.cancel()
	switch {
	case err == nil:
	case noTime:
		u.t.Unproven()
	case u.policy.EndsRun() || attempt.OfTheGround(ctx, err):
		s.retreat(u)
		return errors.Join(err, u.t.Undo())
	default:
		u.t.Untried(err)
	}
	if !u.t.Outcome.Kept() {
		s.retreat(u)
		if err := u.t.Withdraw(ctx); err != nil {
			return err
		}
		return s.log.record(ctx, u.t, u.number)
	}
	// A proof that has come to its end counts, whatever the user has pressed
	// meanwhile.
	if err := s.commit(context.WithoutCancel(ctx), u.t); err != nil {
		s.retreat(u)
		return errors.Join(err, u.t.Undo())
	}
	err = s.log.record(ctx, u.t, u.number)
	for _, l := range u.later {
		err = errors.Join(err, s.log.record(ctx, l.t, l.number))
	}
	return err
}

// retreat goes back to what a change stands on, and forgets what was tried on top
// of it.
func (s *stack) retreat(u *unproven) {
	s.now = u.t.Base
	s.page.steps = slices.DeleteFunc(s.page.steps, func(p progress) bool { return p.before == u.t.Next || p.after == u.t.Next })
	for _, l := range u.later {
		s.offers.tried[l.t.Change.ID] = false
	}
}

// commit records a change for the user.
func (s *stack) commit(ctx context.Context, t *attempt.Attempt) error {
	if err := s.log.bed.Run.SavePending(store.Pending{Attempt: t.Attempt, Files: t.Sums()}); err != nil {
		return err
	}
	if err := s.kept.add(ctx, t); err != nil {
		return err
	}
	if t.Base != s.orig {
		t.Base.Shelve(s.page.shown(t.Base))
	}
	return nil
}
