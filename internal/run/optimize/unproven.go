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

// A later attempt stands on a change that is not proven yet.
type later struct {
	t      *attempt.Attempt
	number int
}

// one tries one change. What becomes of it is recorded here, or by settle when
// it is kept or stands on what is not proven.
//
// The number of a change decides its part of the error rate. Those that are
// forgotten with the change that they stand on give theirs back: that they are
// does not depend on what was measured of them, and nothing was claimed.
func (s *Session) one(ctx context.Context, c model.Change, policy attempt.Policy) error {
	number := len(s.Run.Attempts) + 1
	if s.unproven != nil {
		number += 1 + len(s.unproven.later)
		s.unproven.proof.Free()
	}
	s.offers.tried[c.ID] = true
	start := time.Now()
	limited, cancel := s.limited(ctx, policy)
	defer cancel()
	t, err := s.prover.Try(limited, s.now, c, number, policy)
	s.tries, s.trying = s.tries+1, s.trying+time.Since(start)
	switch {
	case err == nil:
	case late(ctx, limited):
		t.Untried(errNoTime)
	case policy.EndsRun() || attempt.OfTheGround(ctx, err):
		return err
	default:
		t.Untried(err)
	}
	switch {
	case t.Outcome.Kept():
		return s.standOn(ctx, &unproven{t: t, policy: policy, number: number})
	case s.unproven != nil:
		s.unproven.later = append(s.unproven.later, later{t, number})
		return nil
	}
	return s.record(ctx, t, number)
}

// standOn makes a change what further changes stand on, and has the rest of it
// shown. What it stands on itself has to be proven first.
func (s *Session) standOn(ctx context.Context, u *unproven) error {
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
	u.t.Next.Follow(s.now, u.t.After, u.t.Attempt)
	s.page.steps = append(s.page.steps, progress{u.t.Change, true, s.now, u.t.Next})
	s.now, s.unproven = u.t.Next, u
	u.limited, u.cancel = s.toTheEnd(ctx, u.policy)
	u.proof = u.t.Prove(u.limited)
	if len(gocmd.Aside()) == 0 || !s.m.Beside() {
		return s.settle(ctx) // no core to spare, or tests that may write where the next change is built
	}
	return nil
}

// confirm has a change that is to be kept run with the stock testing package.
func (s *Session) confirm(ctx context.Context, t *attempt.Attempt) error {
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
func (s *Session) settleEnded(ctx context.Context, idle bool) error {
	if s.unproven == nil || !idle && !s.unproven.proof.Ended() {
		return nil
	}
	return s.settle(ctx)
}

// settle waits for the proof of the change that the run stands on, and records
// what came of it. The tree holds that change, or one on top of it if the proof
// has succeeded.
func (s *Session) settle(ctx context.Context) error {
	u := s.unproven
	if u == nil {
		return nil
	}
	if !u.proof.Ended() {
		s.stage("proving that it behaves as before", u.t.Change.Title)
	}
	s.unproven = nil
	err := u.proof.Wait()
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
		return s.record(ctx, u.t, u.number)
	}
	// A proof that has come to its end counts, whatever the user has pressed
	// meanwhile.
	if err := s.commit(context.WithoutCancel(ctx), u.t); err != nil {
		s.retreat(u)
		return errors.Join(err, u.t.Undo())
	}
	err = s.record(ctx, u.t, u.number)
	for _, l := range u.later {
		err = errors.Join(err, s.record(ctx, l.t, l.number))
	}
	return err
}

// retreat goes back to what a change stands on, and forgets what was tried on top
// of it.
func (s *Session) retreat(u *unproven) {
	s.now = u.t.Base
	s.page.steps = slices.DeleteFunc(s.page.steps, func(p progress) bool { return p.before == u.t.Next || p.after == u.t.Next })
	for _, l := range u.later {
		s.offers.tried[l.t.Change.ID] = false
	}
}

// commit records a change for the user.
func (s *Session) commit(ctx context.Context, t *attempt.Attempt) error {
	if err := s.bed.Run.SavePending(store.Pending{Attempt: t.Attempt, Files: t.Sums()}); err != nil {
		return err
	}
	if err := s.kept.add(ctx, t); err != nil {
		return err
	}
	if t.Base != s.orig {
		t.Base.Drop()
	}
	return nil
}
