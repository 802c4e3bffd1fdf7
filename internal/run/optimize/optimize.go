package optimize

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/words"
)

// A searching run looks for changes and tries them.
type searching struct {
	proposing
	plan   plan
	waited []string // small changes that other benchmarks were measured before
}

// smallPromise is what a change promises at least that comes before benchmarks which wait: in one of them it, or another, may
// promise more.
const smallPromise = 0.1

// waits reports whether a change waits for what a few more benchmarks give. Each small one does once, so that both go on.
func (s *searching) waits(c model.Change) bool {
	if promise(c) >= smallPromise || slices.Contains(s.waited, c.ID) {
		return false
	}
	s.waited = append(s.waited, c.ID)
	return true
}

// Plan measures the base, and says what costs and what could be tried. A search begins
// with a few benchmarks. It measures more as long as it finds nothing to try in them, and as
// its first look has time for.
func (s *searching) Plan(ctx context.Context) ([]model.Change, error) {
	if err := s.Measure(ctx); err != nil {
		return nil, err
	}
	changes, err := s.Explain(ctx)
	for more, from := true, s.budget.start; more && err == nil && (len(changes) == 0 || s.looksOn(from)); {
		from = time.Now()
		if changes, more, err = s.further(ctx); !more && err == nil {
			changes, more, err = s.again(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	if len(s.queue.waiting) > 0 && s.queue.lasts {
		s.opt.Watch.Line(s.queue.measured() + "; others follow when the ideas from these are used up.")
	}
	if n := s.stack.now.Unprofiled(); n > 0 && len(changes) == 0 { // that there is nothing to try is not known
		s.Run.Stopped = fmt.Sprintf("budget of %s used up: %s not profiled in time", words.Duration(s.opt.Budget), words.Plural(n, "benchmark"))
	}
	s.price()
	return changes, s.log.save()
}

// lookShare is the part of the budget that the first look may take where there is something
// to try, and lookMost how long at most: a first answer is worth more than the best order. All
// that is looked at in it is ranked before the first change is tried.
const (
	lookShare = 1.0 / 8
	lookMost  = 20 * time.Second
)

// looksOn reports whether the first look goes on: others wait, and they will have been looked
// at in its time if that takes as long as since from.
func (s *searching) looksOn(from time.Time) bool {
	most := min(time.Duration(lookShare*float64(s.budget.total)), lookMost)
	return s.queue.lasts && len(s.queue.waiting) > 0 && time.Since(s.budget.start)+time.Since(from) < most
}

// The part of the budget that building tests with the race detector may take, and running
// them, each time.
const (
	raceShare = 0.2
	raceLeast = 10 * time.Second
)

// testShare is the part that its tests without may take in a search: each idea runs them again.
const testShare = 0.2

// Measure builds the base, finds its benchmarks, and learns how to sample
// them and what this machine can see.
func (s *kit) Measure(ctx context.Context) error {
	if err := s.build(ctx); err != nil {
		return err
	}
	if s.opt.Verb != "find" { // which tries nothing; else before all that takes long
		if err := s.base.test(ctx, s.stack.now); err != nil {
			return err
		}
	}
	if err := s.survey().do(ctx); err != nil {
		return err
	}
	if !s.queue.lasts {
		s.survey().leaveOut()
	}
	s.surveyed()
	return s.log.save()
}

// build builds the base.
func (s *kit) build(ctx context.Context) error {
	s.stage("building", words.Inflect(len(s.m.Pkgs), "test binary", "test binaries"))
	v, err := s.m.Build(ctx, "base", nil)
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return &testbed.BrokenTree{Name: "the base", What: "does not build", Detail: ge.Output, Next: s.m.LeftHint("fix it, or name other packages")}
	}
	if err != nil {
		return err
	}
	s.stack.orig, s.stack.now = v, v
	s.m.RaceTime = grant(s.budget.forTrying(), raceShare, raceLeast)
	if s.opt.Verb == "optimize" {
		s.m.TestTime = grant(s.budget.forTrying(), testShare, raceLeast)
	}
	s.built()
	return nil
}

// built says what is left of the budget where building has taken much of it.
func (s *kit) built() {
	if left := s.budget.left(); left < s.budget.total*3/4 {
		s.opt.Watch.Line(fmt.Sprintf("building took %s of -budget, and %s are left; what is built is cached for the next run",
			words.Seconds(time.Since(s.budget.start).Seconds()), words.Seconds(max(0, left.Seconds()))))
	}
}

// Left is how much of the budget is left for trying.
func (s *kit) Left() time.Duration { return s.budget.forTrying() }

// Explain says what costs on the version as it is now, why, and what could be
// tried: it sets Targets, Unexplained and Prospects of the Run.
func (s *kit) Explain(ctx context.Context) ([]model.Change, error) {
	v := s.stack.now
	if err := v.Explain(ctx, s.Run.Plans, s.forProfiles); err != nil {
		return nil, err
	}
	s.Run.Targets, s.Run.Unexplained = v.Targets(s.Run.Plans)
	changes, prospects := s.offers.propose(v)
	s.Run.Prospects = prospects
	s.page.quote(v, changes)
	return changes, s.log.save()
}

// profileShare is the part of what is left that the profiles of a few benchmarks may take
// in a run that comes back for others.
const profileShare = 0.3

// forProfiles is how long profiles may take: as long as there is time for, where no other
// benchmarks wait.
func (s *kit) forProfiles() time.Duration {
	left := s.budget.left()
	if s.stack.now != s.stack.orig { // there is something to compare at the end
		left = s.budget.forTrying()
	}
	if s.queue.lasts && len(s.queue.waiting) > 0 {
		return grant(left, profileShare, 0)
	}
	return left
}

// price adds to what a change costs in duets what it costs besides: building,
// profiles and notes take about as long again as they took so far. How long
// the tests take is not known yet.
func (s *searching) price() {
	besides := time.Since(s.budget.start).Seconds() / float64(len(s.Run.Plans))
	for i := range s.Run.Noise {
		s.Run.Noise[i].Seconds += besides
	}
}

// Heat returns what each line costs in the benchmarks of the base.
func (s *kit) Heat() ([]model.LineCost, error) { return s.stack.orig.Heat() }

// Hints asks the compiler what it would take to do better on the lines that
// cost. The version must be explained.
func (s *kit) Hints(ctx context.Context) ([]model.Finding, error) { return s.stack.now.Hints(ctx) }

// BaseCheck returns what CheckBase has found; nil where it was not called, or has
// not succeeded.
func (s *kit) BaseCheck() *BaseCheck { return s.base.found() }

// CheckBase makes sure that the tests of the benchmarked packages pass before
// anything is changed.
func (s *kit) CheckBase(ctx context.Context) error { return s.prepare(ctx, s.base.check) }

// prepare makes sure of what has to be known of the base before anything is changed.
func (s *kit) prepare(ctx context.Context, check func(context.Context, *state.State) error) error {
	if s.opt.Short {
		s.log.warn(model.Warning{Seen: "tests were run with -short", Cause: "it was asked for", Try: "go test without it, before a change is merged"})
	}
	if err := check(ctx, s.stack.orig); err != nil {
		return err
	}
	return s.log.journal(ctx, store.Event{Kind: store.Base})
}

// Optimize tries the changes, the most promising first. After one that is
// kept, the source is looked at anew: the next change stands on top of it. Profiles are
// taken anew when no idea is left that those from before have given. What
// did nothing alone is tried in pairs at the end.
// When ctx ends or the budget is spent it returns nil with Run.Stopped set.
func (s *searching) Optimize(ctx context.Context, changes []model.Change) error {
	err := s.log.journal(ctx, store.Event{Kind: store.Plan, Prospects: s.Run.Prospects, Noise: s.Run.Noise})
	if err != nil {
		return err
	}
	s.plan.of(s.Run)
	defer s.plan.restore(s.Run)

	s.outside.begin(ctx)
	err = errors.Join(s.search(ctx, changes), s.stack.settle(ctx))
	s.outside.end()
	s.stack.sayLost()
	switch {
	case err != nil && late(ctx):
		s.late()
		return nil
	case err != nil && ctx.Err() != nil:
		s.Run.Stopped = "interrupted"
		return nil
	}
	return err
}

// search tries changes, those that stand on what was kept included and those that
// come from outside, until none is left or the budget is spent.
func (s *searching) search(ctx context.Context, changes []model.Change) error {
	if s.outside.left() == 0 {
		s.askRound()
	}
	for at := s.stack.now; ; {
		idle := len(changes)+s.outside.left()+len(s.queue.waiting) == 0
		if err := errors.Join(s.stack.settleEnded(ctx, idle), s.outside.take()); err != nil {
			return err
		}
		if s.stack.now != at && s.budget.forProving() == 0 { // nor is there time to look at it
			s.Run.Stopped = fmt.Sprintf("budget of %s used up", words.Duration(s.opt.Budget))
			return nil
		}
		if s.stack.now != at { // one was kept, or the proof of one has failed
			var err error
			if changes, err = s.Explain(ctx); err != nil {
				return err
			}
			at = s.stack.now
			continue
		}
		if s.spent(len(changes)+s.outside.left(), "not tried") {
			return nil
		}
		left, ended, err := s.next(ctx, changes)
		if err != nil || ended {
			return err
		}
		changes = left
	}
}

// next tries what comes next: a proposal from outside, the first of changes, a
// combination, or once more what stayed undecided or did nothing in one benchmark, and waits for
// proposals where there is none of them. It returns the changes that are left.
func (s *searching) next(ctx context.Context, changes []model.Change) (left []model.Change, ended bool, err error) {
	s.prover.Then, s.prover.Last = changes, false
	if p, ok := s.outside.next(changes); ok {
		return changes, false, s.propose(ctx, p)
	}
	if len(changes) > 0 {
		i := max(0, slices.IndexFunc(changes, s.stack.apart)) // the others wait for a proof
		c := changes[i]
		if s.waits(c) {
			if left, more, err := s.widen(ctx); more || err != nil {
				return left, false, err
			}
		}
		if all, ok := s.offers.siblings(s.stack.now, c, changes); ok {
			return changes, false, s.one(ctx, all, attempt.Own(all))
		}
		left = slices.Delete(slices.Clone(changes), i, i+1)
		s.prover.Then, s.prover.Last = left, s.offers.again[c.ID]
		return left, false, s.one(ctx, c, attempt.Own(c))
	}
	if left, more, err := s.widen(ctx); more || err != nil {
		return left, false, err
	}
	if left, more, err := s.again(ctx); more || err != nil {
		return left, false, err
	}
	if more, err := s.more(ctx); more || err != nil {
		return nil, false, err
	}
	if len(s.stack.open) > 0 {
		return nil, false, s.stack.settle(ctx)
	}
	if left = s.offers.combinations(s.stack.now); len(left) > 0 {
		return left, false, nil
	}
	if c, ok := s.offers.reopened(s.budget.forTrying()); ok {
		s.opt.Watch.Line("nothing else is left to try: what stayed undecided has the rest of the time.")
		return []model.Change{c}, false, nil
	}
	if c, ok := s.offers.another(); ok && !s.budget.spent() { // else it would count as not tried
		s.opt.Watch.Line("nothing else is left to try: what did nothing in one benchmark is judged by " + c.Targets[0].Benchmark.String() + ".")
		return []model.Change{c}, false, nil
	}
	s.spent(s.undecided(), "undecided")
	return nil, true, nil
}

// widen is further, and says what came of it.
func (s *searching) widen(ctx context.Context) (changes []model.Change, more bool, err error) {
	if changes, more, err = s.further(ctx); more || err != nil {
		s.opt.Watch.Line(fmt.Sprintf("%s; %d ideas are left to try.", s.queue.measured(), len(changes)))
	}
	return changes, more, err
}

// again takes profiles that are older than the version as it is, or that there was no time for
// before, and returns what could be tried then: what a kept change did to them may give other
// ideas. It reports whether there was one, and time for it.
func (s *searching) again(ctx context.Context) (changes []model.Change, more bool, err error) {
	if !s.stack.now.Stale() || s.budget.spent() {
		return nil, false, nil
	}
	s.stack.now.Forget()
	changes, err = s.Explain(ctx)
	return changes, true, err
}

// spent reports whether the budget is, and notes then that it is the reason why
// n candidates are left.
func (s *searching) spent(n int, left string) bool {
	if n == 0 || !s.budget.spent() {
		return false
	}
	s.Run.Stopped = fmt.Sprintf("budget of %s used up, with %s %s%s", words.Duration(s.opt.Budget), words.Plural(n, "idea"), left, s.budget.short())
	return true
}

// one tries one change. The stack records what becomes of it.
func (s *kit) one(ctx context.Context, c model.Change, policy attempt.Policy) error {
	if at := s.stack.now; !s.stack.apart(c) {
		if err := s.stack.settle(ctx); err != nil || s.stack.now != at {
			return err
		}
	}
	number := s.stack.turn()
	s.prover.Shares = len(s.stack.waiting()) > 0
	limited, cancel := s.budget.limited(ctx, policy)
	defer cancel()
	from := time.Now()
	t, err := s.prover.Try(limited, s.stack.now, c, number, policy)
	s.budget.tries.add(time.Since(from))
	s.offers.tried[c.ID] = store.Joined(s.offers.tried[c.ID], t.Attempt)
	switch {
	case err == nil:
	case late(limited):
		t.OutOfTime()
	case policy.EndsRun() || attempt.OfTheGround(ctx, err):
		return err
	default:
		t.Untried(err)
	}
	return s.stack.take(ctx, t, number, policy)
}

// undecided returns how many changes are.
func (s *searching) undecided() (n int) {
	for _, a := range s.Run.Last() {
		if a.Outcome == model.Unsettled {
			n++
		}
	}
	return n
}
