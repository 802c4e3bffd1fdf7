package optimize

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Finish measures original and final afresh against each other, and writes
// what the user needs to check the claim, to take it or to drop it. The
// estimates that changes were kept by are not added up: each was looked at
// because it was large, and together they promise too much.
func (s *Session) Finish(ctx context.Context) error {
	within, cancel := s.closing(ctx)
	defer cancel()
	s.compare(ctx, within)
	for _, u := range s.prover.Trial.Unsteady() {
		s.warn(u.Warning())
	}
	if s.Run.Verb != "try" { // which looks for nothing
		s.lead(within)
	}
	if s.Resume != nil {
		s.Run.Resume = s.Resume(s.Run)
	}
	s.page.profileFinal(within, s.now, s.left)
	s.timed()
	if s.Run.Kept() > 0 {
		if err := s.kept.instructions(s.opt.From); err != nil {
			return err
		}
		if err := s.save(); err != nil {
			return err
		}
	}
	return s.stop(ctx)
}

// endLeast is set aside for what follows the last comparison: the page, and the
// journal.
const endLeast = 2 * time.Second

// compare measures original and final against each other in each benchmark. Each
// gets an equal part of the time that is left; within may end before ctx does.
func (s *Session) compare(ctx, within context.Context) {
	f := &final{s.m, s.prover, s.orig, s.now, s.left, make(map[string]*linkPool)}
	defer f.close()
	var skipped []string
	for i, p := range s.Run.Plans {
		left := s.left() - endLeast
		if n := f.differ(s.Run.Plans[i:]); n > 0 {
			left /= time.Duration(n)
		}
		if left < 0 && f.differ(s.Run.Plans[i:i+1]) > 0 {
			skipped = append(skipped, p.Benchmark.String())
			s.Run.Results = append(s.Run.Results, f.soFar(p.Benchmark))
			continue
		}
		r, err := f.result(within, p, left)
		switch {
		case ctx.Err() != nil:
			s.Run.Stopped = "interrupted"
			r = f.soFar(p.Benchmark)
		case err != nil: // what was kept is on the branch, and the user must learn of it
			r = f.soFar(p.Benchmark)
			if late(ctx, within) {
				err = fmt.Errorf("the budget of %s is spent", s.opt.Budget)
			}
			s.warn(model.Warning{
				Seen:  "original and final could not be compared in " + p.Benchmark.String() + ": its figures are those by which each change was kept",
				Cause: err.Error(), Try: "run the benchmark on both, or the replay script",
			})
		}
		s.Run.Results = append(s.Run.Results, r)
	}
	if len(skipped) > 0 {
		s.warn(model.Warning{
			Seen:  "original and final were not compared in " + words.Some(skipped, 5) + ": the figures are those by which each change was kept",
			Cause: fmt.Sprintf("the budget of %s was spent", s.opt.Budget), Try: "a larger -budget, or the replay script",
		})
	}
}

// End ends a run that only looked.
func (s *Session) End(ctx context.Context) error {
	s.timed()
	return s.stop(ctx)
}

// timed notes where the time until now went.
func (s *Session) timed() {
	s.Run.Steps, s.Run.Split = s.watch.taken(), s.bed.Meter.Split(time.Now())
}

// Page writes the run's HTML page.
func (s *Session) Page() error {
	if err := s.page.write(s.orig, s.now, s.prover.Rules(1).MinEffect); err != nil {
		return err
	}
	return s.save()
}

// stop ends the record of the run; it works with a cancelled context too.
func (s *Session) stop(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	return errors.Join(
		s.save(),
		s.journal(ctx, store.Event{Kind: store.Final, Results: s.Run.Results}),
		s.journal(ctx, store.Event{Kind: store.Stop, Text: s.Run.Stopped}),
	)
}
