package optimize

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// Plan measures the base, and says what costs and what could be tried.
func (s *Session) Plan(ctx context.Context) ([]model.Change, error) {
	if err := s.Measure(ctx); err != nil {
		return nil, err
	}
	return s.Explain(ctx)
}

// The part of the budget that building and testing the base with the race detector
// may take, each time.
const (
	raceShare = 0.2
	raceLeast = 10 * time.Second
)

// Measure builds the base, finds its benchmarks, and learns how to sample
// them and what this machine can see.
func (s *Session) Measure(ctx context.Context) error {
	if err := s.build(ctx); err != nil {
		return err
	}
	if s.opt.Verb != "find" { // which tries nothing; else before all that takes long
		if err := s.testBase(ctx); err != nil {
			return err
		}
	}
	if err := (&survey{s.Run, s.opt, s.m, s.orig, s.prover}).do(ctx); err != nil {
		return err
	}
	s.prover.Plans, s.m.CPUGoal = s.Run.Plans, state.CPUGoal(s.opt.Budget, len(s.Run.Plans))
	return s.save()
}

// build builds the base.
func (s *Session) build(ctx context.Context) error {
	s.stage("building", fmt.Sprintf("%d test binaries", len(s.m.Pkgs)))
	v, err := s.m.Build(ctx, "base", nil)
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return &testbed.BrokenTree{Name: "the base", What: "does not build", Detail: ge.Output, Next: s.m.LeftHint("fix it, or name other packages")}
	}
	if err != nil {
		return err
	}
	s.orig, s.now = v, v
	s.m.RaceTime = max(raceLeast, time.Duration(raceShare*float64(s.forTrying())))
	return nil
}

// Explain says what costs on the version as it is now, why, and what could be
// tried: it sets Targets, Unexplained and Prospects of the Run.
func (s *Session) Explain(ctx context.Context) ([]model.Change, error) {
	v := s.now
	if err := v.Explain(ctx, s.Run.Plans); err != nil {
		return nil, err
	}
	s.Run.Targets, s.Run.Unexplained = v.Targets(s.Run.Plans)
	changes, prospects := s.offers.propose(v)
	s.Run.Prospects = prospects
	s.page.quote(v, changes)
	if v == s.orig && len(s.Run.Attempts) == 0 {
		s.price()
	}
	return changes, s.save()
}

// price adds to what a change costs in duets what it costs besides: building,
// profiles and notes take about as long again as they took so far. How long
// the tests take is not known yet.
func (s *Session) price() {
	besides := time.Since(s.start).Seconds() / float64(len(s.Run.Plans))
	for i := range s.Run.Noise {
		s.Run.Noise[i].Seconds += besides
	}
}

// Heat returns what each line costs in the benchmarks of the base.
func (s *Session) Heat() ([]model.LineCost, error) { return s.orig.Heat() }

// Hints asks the compiler what it would take to do better on the lines that
// cost. The version must be explained.
func (s *Session) Hints(ctx context.Context) ([]model.Finding, error) { return s.now.Hints(ctx) }

// A BaseCheck is what CheckBase has found of a tree, for another session on the
// very same one.
type BaseCheck struct {
	raceBroken string
}

// BaseCheck returns what CheckBase has found; nil where it was not called, or has
// not succeeded.
func (s *Session) BaseCheck() *BaseCheck {
	if !s.checked {
		return nil
	}
	return &BaseCheck{raceBroken: s.m.NoRace}
}

// CheckBase makes sure that the tests of the benchmarked packages pass before
// anything is changed.
func (s *Session) CheckBase(ctx context.Context) error {
	if s.opt.Short {
		s.warn(model.Warning{Seen: "tests were run with -short", Cause: "it was asked for", Try: "go test without it, before a change is merged"})
	}
	if s.opt.Base != nil {
		s.m.NoRace = s.opt.Base.raceBroken
	} else if err := s.testBase(ctx); err != nil {
		return err
	}
	if err := s.raceAndStock(ctx); err != nil {
		return err
	}
	s.checked = true
	return s.journal(ctx, store.Event{Kind: store.Base})
}

// raceAndStock tests the base with the race detector, and beside that, where it may,
// builds it with the testing package as installed, while the tree still is the original.
func (s *Session) raceAndStock(ctx context.Context) error {
	race := func() error {
		if s.opt.Base != nil {
			return nil
		}
		return s.orig.TryRace(ctx)
	}
	if !s.m.Beside() {
		return errors.Join(race(), s.stock(ctx))
	}
	raced := make(chan error, 1)
	go func() { raced <- race() }()
	err := s.stock(ctx)
	return errors.Join(<-raced, err)
}

// stock builds the base with the testing package as installed.
func (s *Session) stock(ctx context.Context) error {
	for _, name := range s.m.Names() {
		if _, err := s.orig.Stock(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// testBase makes sure, once, that the tests of the benchmarked packages pass.
func (s *Session) testBase(ctx context.Context) error {
	if s.tested || s.opt.Base != nil {
		return nil
	}
	err := s.now.MustPass(ctx)
	s.tested = err == nil
	return err
}

// Optimize tries the changes, the most promising first. After one that is
// kept, everything is looked at anew: the next change stands on top of it. What
// did nothing alone is tried in pairs at the end.
// When ctx ends or the budget is spent it returns nil with Run.Stopped set.
func (s *Session) Optimize(ctx context.Context, changes []model.Change) error {
	err := s.journal(ctx, store.Event{Kind: store.Plan, Prospects: s.Run.Prospects, Noise: s.Run.Noise})
	if err != nil {
		return err
	}
	plan := s.Run.Prospects // what is reported is the plan before any edit
	targets, unexplained := s.Run.Targets, s.Run.Unexplained
	defer func() { s.Run.Prospects, s.Run.Targets, s.Run.Unexplained = plan, targets, unexplained }()

	err = errors.Join(s.search(ctx, changes), s.settle(ctx))
	if err != nil && ctx.Err() != nil {
		s.Run.Stopped = "interrupted"
		return nil
	}
	return err
}

// search tries changes, those that stand on what was kept included, until none
// is left or the budget is spent.
func (s *Session) search(ctx context.Context, changes []model.Change) error {
	for at := s.now; ; {
		if err := s.settleEnded(ctx, len(changes) == 0); err != nil {
			return err
		}
		if s.now != at { // one was kept, or the proof of one has failed
			var err error
			if changes, err = s.Explain(ctx); err != nil {
				return err
			}
			at = s.now
			continue
		}
		if len(changes) == 0 {
			if changes = s.offers.combinations(s.now); len(changes) == 0 {
				s.spent(s.undecided(), "undecided")
				return nil
			}
		}
		if s.spent(len(changes), "not tried") {
			return nil
		}
		c := changes[0]
		changes = changes[1:]
		if err := s.one(ctx, c, attempt.Own()); err != nil {
			return err
		}
	}
}

// undecided returns how many changes are.
func (s *Session) undecided() (n int) {
	for _, a := range s.Run.Last() {
		if a.Outcome == model.Unsettled {
			n++
		}
	}
	return n
}

// record puts an attempt into the run and all its files.
func (s *Session) record(ctx context.Context, t *attempt.Attempt, number int) error {
	if err := s.note(ctx, t); err != nil {
		return err
	}
	if _, err := s.bed.Run.Diff(fmt.Sprintf("%04d-%s", number, t.Change.ID), t.Diff); err != nil {
		return err
	}
	s.say(t)
	return s.save()
}

// note puts an attempt into the run and the journal. Once it is there, it needs
// no note of its own any more.
func (s *Session) note(ctx context.Context, t *attempt.Attempt) error {
	s.Run.Attempts = append(s.Run.Attempts, t.Attempt)
	e := store.Event{Kind: store.Attempt, Attempt: &t.Attempt}
	if t.Outcome.Kept() {
		e.Files = t.Sums()
		// A change that is on the branch goes into the journal, whatever the user
		// has pressed meanwhile.
		ctx = context.WithoutCancel(ctx)
	}
	if err := s.journal(ctx, e); err != nil {
		return err
	}
	return s.bed.Run.ClearPending()
}

func (s *Session) say(t *attempt.Attempt) {
	s.opt.Watch.Line(fmt.Sprintf("%s %s: %s: %s", runs.Mark(t.Outcome), t.Outcome, t.Change.Title, t.Reason))
}
