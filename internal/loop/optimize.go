package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/tree"
)

// finishShare is the part of the budget that is set aside for comparing
// original and final at the end.
const finishShare = 0.15

// Plan measures the base, and says what costs and what could be tried.
func (s *Session) Plan(ctx context.Context) ([]model.Change, error) {
	if err := s.Measure(ctx); err != nil {
		return nil, err
	}
	return s.Explain(ctx)
}

// A BaseCheck is what CheckBase has found of a tree, for another session on the
// very same one.
type BaseCheck struct {
	raceBroken string
}

// BaseCheck returns what CheckBase has found. It may be called when that has
// succeeded.
func (s *Session) BaseCheck() *BaseCheck { return &BaseCheck{raceBroken: s.raceBroken} }

// CheckBase makes sure that the tests of the benchmarked packages pass before
// anything is changed.
func (s *Session) CheckBase(ctx context.Context) error {
	if s.opt.Short {
		s.warn(model.Warning{Seen: "tests were run with -short", Cause: "it was asked for", Try: "go test without it, before a change is merged"})
	}
	if s.opt.Base != nil {
		s.raceBroken = s.opt.Base.raceBroken
	} else if err := s.testBase(ctx); err != nil {
		return err
	}
	for _, name := range s.pkgNames() { // while the tree still is the original
		if _, err := s.stock(ctx, s.orig, name); err != nil {
			return err
		}
	}
	return s.journal(ctx, store.Event{Kind: store.Base})
}

func (s *Session) testBase(ctx context.Context) error {
	var pkgs []gocmd.Package
	for _, name := range s.pkgNames() {
		pkgs = append(pkgs, s.pkgs[name])
	}
	s.stage("testing the base", strings.Join(s.pkgNames(), " "))
	c, _, err := s.runTests(ctx, s.now, pkgs, false)
	if err != nil {
		return err
	}
	if !c.OK {
		return &stand.BrokenTree{Name: "the base", What: "has tests that fail", Detail: c.Detail, Next: s.tree.LeftHint("mend them first: without passing tests nothing can be shown to keep behaviour")}
	}
	if c, _, err = s.runTests(ctx, s.now, pkgs, true); err != nil {
		return err
	}
	if !c.OK && c.Skipped == "" {
		s.raceBroken = "the base fails under it already"
		s.warn(model.Warning{Seen: "the base's tests fail under the race detector", Cause: c.Detail, Try: "mend that first; until then no change is checked for races"})
	}
	return nil
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

	for {
		if len(changes) == 0 {
			if changes = s.combinations(); len(changes) == 0 {
				return nil
			}
		}
		if s.left() < time.Duration(finishShare*float64(s.opt.Budget)) {
			s.Run.Stopped = fmt.Sprintf("budget of %s for finding and trying spent, %d candidates not tried", s.opt.Budget, len(changes))
			return nil
		}
		c := changes[0]
		changes = changes[1:]
		kept, err := s.one(ctx, c)
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			s.Run.Stopped = "interrupted"
			return nil
		}
		if err != nil {
			return err
		}
		if kept {
			if changes, err = s.Explain(ctx); err != nil {
				if ctx.Err() != nil {
					s.Run.Stopped = "interrupted"
					return nil
				}
				return err
			}
		}
	}
}

// one tries one change and records what became of it.
func (s *Session) one(ctx context.Context, c model.Change) (kept bool, err error) {
	number := len(s.Run.Attempts) + 1
	t, err := s.attempt(ctx, c, number)
	if err != nil {
		return false, err
	}
	if t.Outcome == model.Kept {
		if err := s.solo(ctx, t); err != nil {
			if ctx.Err() != nil {
				return false, errors.Join(err, t.undo())
			}
			t.Warnings = append(t.Warnings, model.Warning{
				Seen: "the change could not be confirmed with the stock testing package", Cause: err.Error(), Try: "run the benchmark by hand",
			})
		}
		if err := s.rec.SavePending(store.Pending{Attempt: t.Attempt, Files: t.sums()}); err != nil {
			return false, errors.Join(err, t.undo())
		}
		if err := s.commit(ctx, t); err != nil {
			return false, errors.Join(err, t.undo())
		}
		if s.now != s.orig {
			s.drop(s.now)
		}
		t.next.stats = restate(s.now.stats, t.Attempt)
		for bm, c := range s.now.costs {
			if !s.now.runs(bm, t.after) {
				t.next.costs[bm] = c
			}
		}
		s.steps = append(s.steps, progress{t.Change, true, s.now.profiled(), t.next.profiled()})
		s.now = t.next
	}
	if err := s.note(ctx, t); err != nil {
		return false, err
	}
	if _, err := s.rec.Diff(fmt.Sprintf("%04d-%s", number, t.Change.ID), t.Diff); err != nil {
		return false, err
	}
	s.say(t)
	return t.Outcome == model.Kept, s.rec.Save(*s.Run)
}

// note puts an attempt into the run and the journal. Once it is there, it needs
// no note of its own any more.
func (s *Session) note(ctx context.Context, t *tried) error {
	s.Run.Attempts = append(s.Run.Attempts, t.Attempt)
	e := store.Event{Kind: store.Attempt, Attempt: &t.Attempt}
	if t.Outcome == model.Kept {
		e.Files = t.sums()
		// A change that is on the branch goes into the journal, whatever the user
		// has pressed meanwhile.
		ctx = context.WithoutCancel(ctx)
	}
	if err := s.journal(ctx, e); err != nil {
		return err
	}
	return s.rec.ClearPending()
}

// recorder returns the recorder of this run's kept changes. The branch is
// called by when the run began, as its folder is.
func (s *Session) recorder(ctx context.Context) (*tree.Recorder, error) {
	stamp, _, _ := strings.Cut(s.rec.ID, "-")
	return tree.NewRecorder(ctx, s.snap, s.rec.Dir, "pawl/"+stamp)
}

// restate carries the figures of the version before over to the one with the
// change, with what was measured of it put in.
func restate(before map[model.Benchmark]model.Stats, a model.Attempt) map[model.Benchmark]model.Stats {
	stats := make(map[model.Benchmark]model.Stats)
	for bm, st := range before {
		for _, v := range a.Verdicts {
			if v.Benchmark == bm {
				st.CPUNs *= 1 + v.Change
			}
		}
		for _, c := range a.Counts {
			if c.Benchmark != bm {
				continue
			}
			switch c.Metric {
			case "allocs/op":
				st.Allocs = c.After
			case "B/op":
				st.Bytes = c.After
			}
		}
		stats[bm] = st
	}
	return stats
}

func (s *Session) say(t *tried) {
	if s.opt.Watch == nil {
		return
	}
	mark := "✗"
	if t.Outcome == model.Kept {
		mark = "✓"
	}
	s.opt.Watch.Line(fmt.Sprintf("%s %s: %s: %s", mark, t.Outcome, t.Change.Title, t.Reason))
}

// commit records a kept change: a commit on the run's branch, or a patch.
func (s *Session) commit(ctx context.Context, t *tried) error {
	if s.keep == nil {
		var err error
		if s.keep, err = s.recorder(ctx); err != nil {
			return err
		}
	}
	message, _ := s.scrub.Text(report.CommitMessage(t.Attempt, s.Run))
	commit, _, err := s.keep.Keep(ctx, message, t.after, t.Diff)
	if err != nil {
		return fmt.Errorf("recording %q: %w", t.Change.Title, err)
	}
	t.Commit = commit
	s.Run.Branch, s.Run.Patches = s.keep.Branch(), s.keep.Patches()
	return nil
}
