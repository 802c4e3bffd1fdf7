package optimize

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// A finishing run has tried what it could.
type finishing struct {
	*kit
	final *final
	// Resume says how to go on with a run that has come to its end, in a command;
	// nil for a run that nobody goes on with.
	Resume func(*model.Run) string
}

// Finish measures original and final afresh against each other, and writes
// what the user needs to check the claim, to take it or to drop it. The
// estimates that changes were kept by are not added up: each was looked at
// because it was large, and together they promise too much.
func (s *finishing) Finish(ctx context.Context) error {
	within, cancel := s.budget.within(ctx)
	defer cancel()
	s.final.compare(ctx, within)
	if s.queue.lasts {
		s.survey().leaveOut()
	}
	for _, u := range s.prover.Trial.Unsteady() {
		s.log.warn(u.Warning())
	}
	if s.Run.Verb != "try" { // which looks for nothing
		s.lead(within)
	}
	if s.Resume != nil {
		s.Run.Resume = s.Resume(s.Run)
	}
	s.page.profileFinal(within, s.stack.now)
	s.timed()
	if s.Run.Kept() > 0 {
		if err := s.stack.kept.instructions(s.opt.From); err != nil {
			return err
		}
		if err := s.log.save(); err != nil {
			return err
		}
	}
	return s.log.stop(ctx)
}

// End ends a run that only looked.
func (s *finishing) End(ctx context.Context) error {
	s.timed()
	return s.log.stop(ctx)
}

// timed notes where the time until now went.
func (s *finishing) timed() {
	s.Run.Steps, s.Run.Split = s.watch.taken(), s.bed.Meter.Split(time.Now())
}

// Page writes the run's HTML page.
func (s *finishing) Page() error {
	if err := s.page.write(s.stack.orig, s.stack.now, s.prover.Rules(1).MinEffect); err != nil {
		return err
	}
	return s.log.save()
}
