package optimize

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/words"
)

// An unproven change has gained, and the run stands on it while the rest is
// shown: that it behaves as before. It is recorded when that is done, and what was
// tried on top of it after it. Where its proof fails, it goes, and what was tried
// on top of it counts as not tried.
type unproven struct {
	t      *attempt.Attempt
	policy attempt.Policy
	number int
	later  []later
}

// A later attempt stands on a change that is not proven yet.
type later struct {
	t      *attempt.Attempt
	number int
}

// A proving is a proof that is under way.
type proving struct {
	of      []*unproven
	whole   *attempt.Attempt // all of them
	proof   *attempt.Proof
	limited context.Context // that it is under
	cancel  context.CancelFunc
}

// A stack is what the run stands on: the version that it began with, and what was
// kept, each on top of the one before. The highest may still be unproven: those that
// gain while others are proven wait for that, and are then proven together. Where that
// fails, each is tried again and proven alone.
type stack struct {
	orig, now *state.State
	open      []*unproven // lowest first; now is the state of the last
	proving   *proving    // of the lowest of open; nil where none is under way
	alone     int         // how many are proven alone from now on
	forgotten []model.Change

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
	for _, u := range s.open {
		u.t.Base.Measured(bm, st)
	}
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
	for _, u := range s.open {
		number += 1 + len(u.later)
	}
	if p := s.proving; p != nil && !p.proof.Freed() {
		s.m.Watch.Stage("building what shows that it behaves as before", p.title())
		p.proof.Free()
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
	case len(s.open) > 0:
		top := s.open[len(s.open)-1]
		top.later = append(top.later, later{t, number})
		return nil
	}
	return s.log.record(ctx, t, number)
}

// standOn makes a change what further changes stand on, and has the rest of it
// shown, now or when the proof that is under way has ended. If that has failed, or fails
// while a change that is to be proven alone waits for it, the change is forgotten.
func (s *stack) standOn(ctx context.Context, u *unproven) error {
	if p := s.proving; p != nil && (s.alone > 0 || p.proof.Ended()) {
		if err := p.proof.Wait(); err != nil || !p.whole.Outcome.Kept() {
			s.forget(u.t)
			return errors.Join(u.t.Undo(), s.settleOne(ctx))
		}
	}
	if err := s.confirm(ctx, u); err != nil {
		return errors.Join(err, u.t.Undo())
	}
	u.t.Follow()
	s.page.steps = append(s.page.steps, progress{u.t.Change, true, s.now, u.t.Next})
	s.now, s.open = u.t.Next, append(s.open, u)
	if err := s.settleEnded(ctx, false); err != nil {
		return err
	}
	if len(gocmd.Aside()) == 0 || !s.m.Beside() {
		return s.settle(ctx) // no core to spare, or tests that may write where the next change is built
	}
	return nil
}

// prove begins to show the rest of what waits for it, if nothing else is shown. The tree
// holds the highest.
func (s *stack) prove(ctx context.Context) {
	s.proveFrom(ctx, 0)
}

// proveFrom is prove of what waits, all but the lowest n.
func (s *stack) proveFrom(ctx context.Context, n int) {
	if s.proving != nil || len(s.open) <= n {
		return
	}
	p := &proving{of: slices.Clone(s.open[n:]), whole: s.open[n].t}
	if len(p.of) > 1 {
		var parts []*attempt.Attempt
		for _, u := range p.of {
			parts = append(parts, u.t)
		}
		p.whole = attempt.Together(parts)
	}
	p.limited, p.cancel = s.budget.toTheEnd(ctx, p.of[0].policy)
	p.proof = p.whole.Prove(p.limited)
	s.proving = p
}

// proveAside begins to prove what stands on p while other benchmarks are compared for p, on the
// cores that these leave alone.
func (s *stack) proveAside(ctx context.Context, p *proving) {
	if cores := gocmd.Aside(); s.alone == 0 && len(cores) > 0 && s.m.Beside() {
		s.proveFrom(gocmd.OnCores(ctx, cores), len(p.of))
	}
}

// abandon ends the proof of what is about to be forgotten.
func (s *stack) abandon() {
	if p := s.proving; p != nil {
		p.cancel()
		_ = p.proof.Wait()
		s.proving = nil
	}
}

// waiting are those that are unproven while others are being proven.
func (s *stack) waiting() []*unproven {
	if s.proving == nil {
		return s.open
	}
	return s.open[len(s.proving.of):]
}

// apart reports whether a change touches no function that a change touches which waits for
// its proof: only changes of different ones are proven together.
func (s *stack) apart(c model.Change) bool {
	var above []*attempt.Attempt
	for _, u := range slices.Backward(s.waiting()) {
		if !u.t.Apart(c, above) {
			return false
		}
		above = append([]*attempt.Attempt{u.t}, above...)
	}
	return true
}

// confirm has a change that is to be kept run with the stock testing package, if there is
// time for it.
func (s *stack) confirm(ctx context.Context, u *unproven) error {
	from := time.Now()
	limited, cancel := s.budget.toTheEnd(ctx, u.policy)
	defer cancel()
	err := u.t.Confirm(limited)
	u.t.Lap("confirmation with the stock testing package", from)
	if err != nil && ctx.Err() == nil {
		u.t.Warnings = append(u.t.Warnings, model.Warning{
			Seen: "the change could not be confirmed with the stock testing package", Cause: err.Error(), Try: "run the benchmark by hand",
		})
	}
	if late(ctx) {
		return nil // what was measured stands, and what is still to be shown is not
	}
	return ctx.Err()
}

// settleEnded settles what a proof has ended of, or all if there is nothing to do
// meanwhile, and has the next shown.
func (s *stack) settleEnded(ctx context.Context, idle bool) error {
	if idle {
		return s.settle(ctx)
	}
	if p := s.proving; p != nil && p.proof.Ended() {
		if err := s.settleOne(ctx); err != nil {
			return err
		}
	}
	s.prove(ctx)
	return nil
}

// settle waits for the proofs of all that the run stands on, and records what came of them.
// The tree holds the highest.
func (s *stack) settle(ctx context.Context) error {
	for len(s.open) > 0 {
		s.prove(ctx)
		if err := s.settleOne(ctx); err != nil {
			return err
		}
	}
	return nil
}

// settleOne waits for the proof that is under way, has other benchmarks compared, and
// records what came of it.
func (s *stack) settleOne(ctx context.Context) error {
	p := s.proving
	if !p.proof.Ended() {
		s.m.Watch.Stage("proving that it behaves as before", p.title())
	}
	s.proving = nil
	err := p.proof.Wait()
	if err == nil && p.whole.Outcome.Kept() {
		s.proveAside(ctx, p)
		s.m.Watch.Stage("comparing other benchmarks", p.title())
		err = p.whole.Spare(p.limited)
	}
	end := p.end(ctx, err)
	p.cancel()
	switch end {
	case proven:
		return s.proven(ctx, p)
	case noTime:
		for _, u := range p.of {
			u.t.Unproven()
		}
	case broken:
		return errors.Join(err, s.drop(0))
	case unclear:
		s.alone += len(p.of)
		s.m.Watch.Line(fmt.Sprintf("%s at once were not shown to do no harm: each is tried again alone", words.Plural(len(p.of), "change")))
		return s.drop(0)
	case refused:
		if err != nil {
			p.whole.Untried(err)
		}
	}
	return s.withdraw(ctx, p)
}

// An ending is how a proof has ended.
type ending int

const (
	proven  ending = iota
	noTime         // the budget ended first: what was measured stands
	broken         // the run cannot go on
	unclear        // one of several was refused, and nothing says which
	refused
)

// end says how a proof has ended that came back with err.
func (p *proving) end(ctx context.Context, err error) ending {
	switch {
	case err == nil && p.whole.Outcome.Kept():
		return proven
	case err != nil && late(p.limited):
		return noTime
	case err != nil && (p.of[0].policy.EndsRun() || attempt.OfTheGround(ctx, err)):
		return broken
	case len(p.of) > 1:
		return unclear
	}
	return refused
}

// title names what is proven.
func (p *proving) title() string {
	if len(p.of) == 1 {
		return p.of[0].t.Change.Title
	}
	return words.Plural(len(p.of), "change")
}

// proven records changes that were. A proof that has come to its end counts, whatever the user
// has pressed meanwhile.
func (s *stack) proven(ctx context.Context, p *proving) (err error) {
	if len(p.of) > 1 {
		p.whole.Share()
	}
	s.alone = max(0, s.alone-1)
	for _, u := range p.of {
		if err := s.commit(context.WithoutCancel(ctx), u.t); err != nil {
			return errors.Join(err, s.drop(0))
		}
		s.open = s.open[1:]
		err = errors.Join(err, s.log.record(ctx, u.t, u.number))
		for _, l := range u.later {
			err = errors.Join(err, s.log.record(ctx, l.t, l.number))
		}
	}
	return err
}

// withdraw takes changes back that were not proven, with all that stands on them, and records
// them.
func (s *stack) withdraw(ctx context.Context, p *proving) (err error) {
	s.alone = max(0, s.alone-1)
	if err := s.drop(len(p.of)); err != nil {
		return err
	}
	for i := len(p.of) - 1; i >= 0; i-- {
		s.retreat(p.of[i])
		switch err := p.of[i].t.Withdraw(ctx); {
		case err != nil && late(ctx) && !attempt.Spoiled(err): // nobody could ask the base whether it fails there, too
			p.of[i].t.Unproven()
		case err != nil:
			return err
		}
	}
	for _, u := range p.of {
		err = errors.Join(err, s.log.record(ctx, u.t, u.number))
	}
	return err
}

// drop forgets all that is unproven but for the lowest n, as if it had not been tried.
func (s *stack) drop(n int) (err error) {
	if len(s.open) > n {
		s.abandon()
	}
	for len(s.open) > n {
		u := s.open[len(s.open)-1]
		s.retreat(u)
		s.forget(u.t)
		err = errors.Join(err, u.t.Undo())
	}
	return err
}

// retreat goes back to what the highest change stands on, and forgets what was tried on top
// of it.
func (s *stack) retreat(u *unproven) {
	s.now, s.open = u.t.Base, s.open[:len(s.open)-1]
	s.page.steps = slices.DeleteFunc(s.page.steps, func(p progress) bool { return p.before == u.t.Next || p.after == u.t.Next })
	for _, l := range u.later {
		s.forget(l.t)
	}
}

// forget makes a change count as not tried.
func (s *stack) forget(t *attempt.Attempt) {
	delete(s.offers.tried, t.Change.ID)
	s.forgotten = append(s.forgotten, t.Change)
}

// sayLost warns of changes that were forgotten, where the run ends before they were tried again.
func (s *stack) sayLost() {
	titles := make(map[string]string)
	for _, c := range s.forgotten {
		if _, again := s.offers.tried[c.ID]; !again {
			titles[c.ID] = c.Title
		}
	}
	if len(titles) == 0 {
		return
	}
	s.log.warn(model.Warning{
		Seen:  "what came of " + words.Plural(len(titles), "change") + " is not known: " + words.Some(slices.Sorted(maps.Values(titles)), 3),
		Cause: "what they stood on, or were to be proven with, was not shown to do no harm, and the time was up before they were tried again",
		Try:   "-resume, with a larger -budget",
	})
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
