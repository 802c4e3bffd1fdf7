package optimize

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/words"
)

// KindPatch is the kind of a change that somebody else made.
const KindPatch = "patch"

// Patch reads the change that pawl try was given: the name of a patch file, or
// a git ref.
func (s *Session) Patch(ctx context.Context, patchOrRef string, read func(name string) ([]byte, error)) (model.Change, error) {
	diff, err := read(patchOrRef)
	if err != nil {
		var rerr error
		if diff, rerr = tree.Patch(ctx, s.bed.Place, patchOrRef); rerr != nil {
			return model.Change{}, testbed.Usage(fmt.Sprintf("%s is neither a patch file (%v) nor a git ref (%v)", patchOrRef, err, rerr))
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

// Screen reads a given change before anything is measured, and reports whether
// that was the end of it: it was refused, or the budget ended. Then it is
// recorded, and there is nothing to try.
func (s *Session) Screen(ctx context.Context, c model.Change) (ended bool, err error) {
	within, cancel := s.within(ctx, endShare)
	defer cancel()
	a, refused, err := s.prover.Screen(within, c)
	if err != nil && late(ctx, within) {
		return true, s.outOfTime(ctx)
	}
	if err != nil || !refused {
		return false, err
	}
	return true, s.untested(ctx, a)
}

// untested records an attempt that ended before anything was measured.
func (s *Session) untested(ctx context.Context, a model.Attempt) error {
	s.Run.Attempts = append(s.Run.Attempts, a)
	return s.journal(ctx, store.Event{Kind: store.Attempt, Attempt: &a})
}

// Parts of the budget of one change: what ends in order takes endShare and the
// comparison of original and final, for a change that is kept, finishShare.
const (
	endShare    = 0.03
	finishShare = 0.15
	leastEnd    = time.Second
)

// within returns ctx with the end of the budget, less a share that is set aside.
func (s *Session) within(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	aside := max(time.Duration(share*float64(s.opt.Budget)), leastEnd)
	return context.WithDeadline(ctx, s.start.Add(s.opt.Budget-aside))
}

// closing is the time for the comparison of original and final: of one given
// change it ends with the budget.
func (s *Session) closing(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.opt.Verb != "try" {
		return context.WithCancel(ctx)
	}
	return s.within(ctx, endShare)
}

// Prove takes one given change, which Screen has let through, through all that
// costs time: for as long as the budget lasts, and only what says something of
// this change. What is certain in seconds comes first.
func (s *Session) Prove(ctx context.Context, c model.Change) error {
	within, cancel := s.within(ctx, finishShare)
	defer cancel()
	end, _ := within.Deadline()
	s.prover.Left = func() time.Duration { return time.Until(end) }
	err := s.prove(within, c)
	switch {
	case err == nil:
		return nil
	case late(ctx, within):
		return s.outOfTime(ctx)
	case ctx.Err() != nil:
		s.Run.Stopped = "interrupted"
		return nil
	}
	return err
}

// outOfTime records that the budget ended before a change was decided.
func (s *Session) outOfTime(ctx context.Context) error {
	s.Run.Stopped = fmt.Sprintf("budget of %s spent", s.opt.Budget)
	if len(s.Run.Attempts) > 0 {
		return nil
	}
	return s.untested(ctx, s.prover.Late(fmt.Sprintf("the budget of %s was spent before it was decided; a larger -budget goes further", s.opt.Budget)))
}

func (s *Session) prove(ctx context.Context, c model.Change) error {
	if err := s.build(ctx); err != nil {
		return err
	}
	if err := s.list(ctx); err != nil {
		return err
	}
	a, refused, err := s.prover.Count(ctx, s.orig, c, s.pattern())
	if err != nil {
		return err
	}
	if refused {
		s.Run.Plans = nil // none was measured
		return s.untested(ctx, a)
	}
	if err := s.testBase(ctx); err != nil {
		return err
	}
	return s.Try(ctx, c)
}

func (s *Session) pattern() string { return cmp.Or(s.opt.Bench, ".") }

// list finds the benchmarks of the base. How they are sampled is not known yet:
// that is found out for those that run the change.
func (s *Session) list(ctx context.Context) error {
	var broken []bench.Failure
	for _, pkg := range s.m.Names() {
		s.stage("finding benchmarks", pkg)
		limit := min(s.opt.Timeout, max(s.left()/listShare, leastMeasure))
		found, failed, err := s.m.Suite.Benchmarks(ctx, s.orig.Binary(pkg), s.pattern(), limit)
		if err != nil {
			return err
		}
		broken = append(broken, failed...)
		for _, bm := range found {
			s.Run.Plans = append(s.Run.Plans, model.Plan{Benchmark: bm, N: listedN, Mode: model.Duet})
		}
	}
	for _, f := range broken {
		s.warn(failureWarning(f))
	}
	s.prover.Plans = s.Run.Plans
	switch {
	case len(s.Run.Plans) > 0:
		return nil
	case len(broken) > 0:
		return brokenBenchmarks(broken[0])
	}
	return testbed.NoResult(s.m.Names(), s.opt.Bench)
}

const (
	listShare = 4   // the part of what is left that listing the benchmarks of a package may take
	listedN   = 100 // the iterations of a benchmark that is not calibrated, for coverage
)

// calibrate finds how the benchmarks are to be sampled that run a change.
func (s *Session) calibrate(ctx context.Context, plans []model.Plan) ([]model.Plan, error) {
	var out []model.Plan
	for i, p := range plans {
		s.stage("calibrating", p.Benchmark.String())
		within := max(s.left()/2/time.Duration(len(plans)-i), leastMeasure)
		q, err := s.m.Suite.Calibrate(ctx, s.orig.Binary(p.Benchmark.Pkg), p.Benchmark, within)
		var f *bench.Failure
		switch {
		case err == nil:
			out = append(out, q)
		case errors.As(err, &f) && ctx.Err() == nil:
			s.warn(failureWarning(*f))
		default:
			return nil, err
		}
	}
	return out, nil
}

// Try puts one given change through guard and trial, and records it.
func (s *Session) Try(ctx context.Context, c model.Change) error {
	s.stage("which benchmarks reach the change", "")
	reached, err := s.prover.Reach(ctx, c)
	s.Run.Warnings = append(s.Run.Warnings, reached.Warnings...)
	if err != nil {
		return err
	}
	if len(reached.Plans) == 0 {
		a, err := s.prover.NotCovered(c)
		if err != nil {
			return err
		}
		return s.untested(ctx, a)
	}
	s.opt.Watch.Line(fmt.Sprintf("%d of %s run the change; %s of -budget are left for tests, behaviour and time",
		len(reached.Plans), words.Plural(len(s.Run.Plans), "benchmark"), words.Seconds(s.prover.Left().Round(time.Second).Seconds())))
	if reached.Plans, err = s.calibrate(ctx, reached.Plans); err != nil {
		return err
	}
	reached.Others = reached.Others[:min(len(reached.Others), attempt.MaxOthers)]
	if reached.Others, err = s.calibrate(ctx, reached.Others); err != nil {
		return err
	}
	s.Run.Plans = slices.Concat(reached.Plans, reached.Others)
	if _, err := (&survey{s.Run, s.opt, s.m, s.orig, s.prover}).warmUpAll(ctx); err != nil {
		return err
	}
	s.prover.Plans, s.m.CPUGoal = s.Run.Plans, state.CPUGoal(s.opt.Budget, len(s.Run.Plans))
	if err := s.CheckBase(ctx); err != nil {
		return err
	}
	if err := s.journal(ctx, store.Event{Kind: store.Plan, Noise: s.Run.Noise}); err != nil {
		return err
	}
	s.prover.NotKept = s.picture
	return s.try(ctx, c, reached)
}

// pictureTime is how much time has to be left for profiles of both sides: nothing
// rests on them.
const pictureTime = 8 * time.Second

// picture takes the profiles of a change that was measured and is not kept, and
// those of the base beside them.
func (s *Session) picture(ctx context.Context, t *attempt.Attempt) {
	if len(t.Verdicts) == 0 || s.prover.Left() < pictureTime {
		return
	}
	bm := t.Verdicts[len(t.Verdicts)-1].Benchmark
	i := slices.IndexFunc(s.Run.Plans, func(p model.Plan) bool { return p.Benchmark == bm })
	if err := s.orig.Picture(ctx, s.Run.Plans[i]); err == nil {
		s.page.notKept(ctx, t)
	}
}

// try lets the benchmarks that reach a change judge it.
func (s *Session) try(ctx context.Context, c model.Change, reached attempt.Reached) error {
	changed, err := s.m.PackagesOf(ctx, attempt.EditedFiles(c.Edits))
	if err != nil {
		return err
	}
	if err := s.now.NoteAlso(ctx, attempt.ImportPaths(changed)); err != nil {
		return err
	}
	if err := s.one(ctx, c, attempt.Stranger(reached)); err != nil {
		return err
	}
	return s.settle(ctx)
}
