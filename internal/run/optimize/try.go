package optimize

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/words"
)

// KindPatch is the kind of a change that somebody else made.
const KindPatch = "patch"

// A given change is one that somebody else made. The run is about it alone.
type given struct{ *kit }

// Patch reads the change that pawl try was given: the name of a patch file, or
// a git ref.
func (s *given) Patch(ctx context.Context, patchOrRef string, read func(name string) ([]byte, error)) (model.Change, error) {
	diff, err := read(patchOrRef)
	if err != nil {
		var rerr error
		if diff, rerr = tree.Patch(ctx, s.bed.Place, patchOrRef); rerr != nil {
			return model.Change{}, neither(patchOrRef, err, rerr, s.bed.Place.Git)
		}
	}
	edits, err := s.m.Snap.ReadPatch(diff)
	if err != nil {
		return model.Change{}, testbed.Usage(fmt.Sprintf("%s: %v", patchOrRef, err))
	}
	edits, tests := guard.OwnTests(edits, s.m.Read)
	sum := sha256.Sum256(diff)
	return model.Change{
		ID: fmt.Sprintf("%x", sum[:6]), Kind: KindPatch, Class: "B",
		Title:      "apply " + filepath.Base(patchOrRef),
		Hypothesis: "one of the benchmarks gets faster or allocates less, and none gets worse",
		Edits:      edits,
		Tests:      tests,
	}, nil
}

// neither is the error for a name that gives no change: what is wrong with the file,
// where there is one, with the commit where there is that, and else with both.
func neither(name string, file, ref error, git bool) error {
	switch {
	case !errors.Is(file, fs.ErrNotExist):
		return testbed.Usage(file.Error())
	case git && !errors.Is(ref, tree.ErrNoCommit):
		return testbed.Usage(ref.Error())
	}
	return testbed.Usagef("%s is neither a patch file (%v) nor a git ref (%v)", name, file, ref)
}

// Screen reads a given change before anything is measured, and reports whether
// that was the end of it: it was refused, or the budget ended. Then it is
// recorded, and there is nothing to try.
func (s *given) Screen(ctx context.Context, c model.Change) (ended bool, err error) {
	_, ended, err = s.screenAs(ctx, c, false)
	return ended, err
}

// ScreenParts is Screen for a change where a part may be tried without the
// rest: where the rest needs somebody's consent, that is what is recorded, and the
// part returned.
func (s *given) ScreenParts(ctx context.Context, c model.Change) (part model.Change, ended bool, err error) {
	return s.screenAs(ctx, c, true)
}

func (s *given) screenAs(ctx context.Context, c model.Change, parts bool) (part model.Change, ended bool, err error) {
	within, cancel := s.budget.within(ctx)
	defer cancel()
	a, refused, err := s.prover.Screen(within, c)
	switch {
	case err != nil && late(within):
		return c, true, s.outOfTime(ctx)
	case err != nil || !refused:
		return c, false, err
	}
	if parts {
		part, rest, ok, err := s.prover.Split(within, a)
		if ok {
			return part, false, s.log.untested(ctx, rest)
		}
		if err != nil && !late(within) {
			return c, false, err
		}
	}
	return c, true, s.log.untested(ctx, a)
}

// Prove takes one given change, which Screen has let through, through all that
// costs time: for as long as the budget lasts, and only what says something of
// this change. What is certain in seconds comes first.
func (s *given) Prove(ctx context.Context, c model.Change) error {
	within, cancel := s.budget.within(ctx)
	defer cancel()
	s.prover.Left = func() time.Duration { return max(s.budget.leaving(finishShare), s.budget.left()*3/4) }
	err := s.prove(within, c)
	switch {
	case err == nil:
		return nil
	case late(within):
		return s.outOfTime(ctx)
	case ctx.Err() != nil:
		s.Run.Stopped = "interrupted"
		return nil
	}
	return err
}

// outOfTime records that the budget ended before a change was decided.
func (s *given) outOfTime(ctx context.Context) error {
	s.Run.Stopped = fmt.Sprintf("budget of %s spent", s.opt.Budget)
	a := s.prover.Late(fmt.Sprintf("the budget of %s was spent before it was decided, %s; a larger -budget goes further", s.opt.Budget, s.spentOn()))
	if slices.ContainsFunc(s.Run.Attempts, func(b model.Attempt) bool { return b.Change.ID == a.Change.ID }) {
		return nil
	}
	return s.log.untested(ctx, a)
}

func (s *given) prove(ctx context.Context, c model.Change) error {
	if err := s.build(ctx); err != nil {
		return err
	}
	if err := s.survey().list(ctx); err != nil {
		return err
	}
	a, refused, err := s.prover.Count(ctx, s.stack.orig, c, 1)
	if err != nil {
		return err
	}
	if refused {
		s.Run.Plans = nil // none was measured
		return s.log.untested(ctx, a)
	}
	return s.Try(ctx, c)
}

// Try puts one given change through guard and trial, and records it. Where some
// functions were seen to behave otherwise, and others as before, it does so once
// more with what is left without the former: what that allocates is counted anew.
func (s *given) Try(ctx context.Context, c model.Change) error {
	for {
		if err := s.tryWhole(ctx, c); err != nil {
			return err
		}
		part, without, ok, err := s.prover.Same(ctx)
		if !ok || err != nil {
			return err
		}
		s.log.warn(model.Warning{
			Seen:  words.Some(without, 8) + ": behaves otherwise than the base's, and is left out of what is tried next",
			Cause: "other functions of the patch were driven and behave as before",
			Try:   "fix it, or keep the other part without it",
		})
		a, refused, err := s.prover.Count(ctx, s.stack.now, part, s.stack.turn())
		switch {
		case err != nil:
			return err
		case refused:
			return s.log.untested(ctx, a)
		}
		c = part
	}
}

// tryWhole is Try for a change as it is.
func (s *given) tryWhole(ctx context.Context, c model.Change) error {
	s.stage("which benchmarks reach the change", "")
	var ahead *state.Begun
	if s.m.Beside() { // what does not build says so when it is asked for
		ahead = state.Begin(ctx, func(ctx context.Context) error {
			return errors.Join(s.note(ctx, c), s.base.stock(ctx, s.stack.now))
		})
	}
	reached, err := s.prover.Reach(ctx, c)
	ahead.Done()
	s.Run.Warnings = append(s.Run.Warnings, reached.Warnings...)
	if err != nil {
		return err
	}
	if len(reached.Plans) == 0 {
		a, err := s.prover.NotCovered(c)
		if err != nil {
			return err
		}
		return s.log.untested(ctx, a)
	}
	s.opt.Watch.Line(fmt.Sprintf("the change is run by %d of %s; %s of -budget are left for tests, behaviour and time",
		len(reached.Plans), words.Plural(len(s.prover.Plans), "benchmark"), words.Seconds(s.prover.Left().Round(time.Second).Seconds())))
	if err := s.prepare(ctx, s.base.stock); err != nil { // its tests are run where those of the change fail
		return err
	}
	s.prover.NotKept = func(ctx context.Context, t *attempt.Attempt) {
		if s.prover.Left() >= pictureTime {
			s.page.ofBoth(ctx, t)
		}
	}
	s.Run.Plans = nil // none is measured yet
	return s.try(ctx, c, reached)
}

// sampler measures the benchmarks that a change reaches without it.
func (s *given) sampler(reached attempt.Reached) attempt.Sampler {
	return func(ctx context.Context) (judges, others []model.Plan, err error) {
		v := s.survey()
		if judges, err = v.calibrate(ctx, reached.Plans); err != nil {
			return nil, nil, err
		}
		if others, err = v.calibrate(ctx, reached.Others[:min(len(reached.Others), attempt.MaxOthers)]); err != nil {
			return nil, nil, err
		}
		s.Run.Plans = nil
		until := time.Now().Add(grant(s.prover.Left(), warmShare, leastMeasure))
		late, err := v.each(ctx, slices.Concat(judges, others), until, v.warmUp)
		if err != nil {
			return nil, nil, err
		}
		s.unasked(late)
		if len(s.Run.Plans) == 0 && len(v.failures) > 0 {
			return nil, nil, v.none()
		}
		s.surveyed()
		fails := func(p model.Plan) bool {
			return !slices.ContainsFunc(s.Run.Plans, func(q model.Plan) bool { return q.Benchmark == p.Benchmark })
		}
		judges, others = slices.DeleteFunc(judges, fails), slices.DeleteFunc(others, fails)
		return judges, others, s.log.journal(ctx, store.Event{Kind: store.Plan, Noise: s.Run.Noise})
	}
}

// warmShare is the part of what is left that the warm-up of benchmarks may take which judge a
// patch: their duets take about twice as long.
const warmShare = 0.3

// unasked warns of benchmarks that there was no time for.
func (s *given) unasked(late []model.Plan) {
	if len(late) == 0 {
		return
	}
	var names []string
	for _, p := range late {
		names = append(names, p.Benchmark.String())
	}
	s.m.Warn(model.Warning{
		Seen:  "CPU time was not compared in " + words.Some(names, 8),
		Cause: fmt.Sprintf("measuring the others took the part of the budget of %s that is for it", s.opt.Budget),
		Try:   "a larger -budget, or fewer benchmarks with -bench",
	})
}

// try lets the benchmarks that reach a change judge it.
func (s *given) try(ctx context.Context, c model.Change, reached attempt.Reached) error {
	if err := s.note(ctx, c); err != nil {
		return err
	}
	if err := s.one(ctx, c, attempt.Given(reached, s.sampler(reached), func(ctx context.Context) error { return s.base.test(ctx, s.stack.now) })); err != nil {
		return err
	}
	return s.stack.settle(ctx)
}

// note makes sure that the compiler's notes are about the packages that a change
// of somebody else touches.
func (s *kit) note(ctx context.Context, c model.Change) error {
	changed, err := s.m.PackagesOf(ctx, attempt.EditedFiles(c.Edits))
	if err != nil {
		return err
	}
	return s.stack.now.NoteAlso(ctx, attempt.ImportPaths(changed))
}
