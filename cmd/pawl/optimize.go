package main

import (
	"context"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/progress"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/run/optimize"
	"github.com/pawl-dev/pawl/internal/words"
)

const optimizeManual = `
Optimize measures the benchmarks of the packages, finds what costs most and
why, and tries what could help, one change at a time. It begins with a few
benchmarks, and measures others when the ideas from these are used up; what the
budget did not suffice for is a warning. A change is kept when vet, the tests
and the race detector find nothing, base and candidate did the same side by side
as far as that could be tried, and the duets prove the gain.

Kept changes become commits on a branch pawl/TIME on top of HEAD, each with
its evidence; your tree is not touched. Where a file has uncommitted edits, or
there is no git, they become a series of patches. At the end the original and
the final state are measured afresh against each other.

In a workspace, what the benchmarks run in its other modules is changed, too,
as far as the same repository holds them.

A run that was killed, interrupted or short of budget goes on with -resume, or
-resume RUN for another than the newest; -C names the module where that is
not the one you are in. What it kept is on its branch, what it tried is not
tried again, and its flags and packages hold unless given anew. It gets what
is left of its budget, or what -budget says.

-budget is the most that all of it takes, builds included. What it takes to end
in order is set aside first, then the comparison at the end. What stays
undecided is tried once more when nothing else is left, with the rest of the
time. What was under way when it ended is named, with the time that it had
taken.
` + proposeManual + `
Every claim holds for the benchmark it was measured in.

It exits with 0 when it came to its end, whether or not anything was kept, and
with 4 when the budget ended before anything was tried.`

func runOptimize(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	set, opt, progress, err := startOptimize(ctx, e, v, args)
	if err != nil {
		return 0, err
	}
	defer progress.Done()
	s, err := optimize.Open(ctx, opt)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	if err := s.InTime(ctx, func(ctx context.Context) error { return search(ctx, s, progress) }); err != nil {
		return 0, err
	}
	s.Resume = func(r *model.Run) string {
		if r.Stopped == "" {
			return ""
		}
		more := ""
		if outOfTime(r) {
			more = " -budget " + words.Duration(2*set.budget)
		}
		return "pawl optimize" + elsewhere(e.dir, opt.Dir) + " -resume" + more
	}
	return finish(ctx, e, s, set, progress)
}

// search looks for changes, and tries them.
func search(ctx context.Context, s *optimize.Session, p *progress.Progress) error {
	changes, err := s.Plan(ctx)
	if err != nil {
		return err
	}
	if len(changes) > 0 || !s.Asks() {
		p.Line(runs.Price(s.Run, s.Left()))
	}
	if len(changes) == 0 && !s.Resumed() && !s.Asks() {
		return nil
	}
	if err := s.CheckBase(ctx); err != nil {
		return err
	}
	if changes, err = s.Replay(ctx, changes); err != nil {
		return err
	}
	return s.Optimize(ctx, changes)
}

// elsewhere is the flag that leads from the directory here to the module that dir
// is in, as a shell takes it; empty where both are in the same one.
func elsewhere(here, dir string) string {
	if testbed.ModuleRoot(here) == testbed.ModuleRoot(dir) {
		return ""
	}
	if rel, err := filepath.Rel(here, dir); err == nil {
		dir = rel
	}
	if strings.ContainsFunc(dir, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+,", r)
	}) {
		dir = words.Quote(dir)
	}
	return " -C " + dir
}

// finish compares original with final and shows the run.
func finish(ctx context.Context, e *env, s *optimize.Session, set *settings, p *progress.Progress) (int, error) {
	if err := s.Finish(ctx); err != nil {
		return 0, err
	}
	if err := s.Page(); err != nil {
		return 0, err
	}
	p.Done()
	if err := set.show(e, s.Run, runs.Text); err != nil {
		return 0, err
	}
	return code(s.Run), nil
}

// code is the exit code of a search. One that the budget ended before anything was tried has
// come to no answer.
func code(r *model.Run) int {
	switch {
	case r.Stopped == "interrupted":
		return exitFailed
	case outOfTime(r) && len(r.Attempts) == 0:
		return exitUndecided
	}
	return exitOK
}

// outOfTime reports whether the budget ended a run.
func outOfTime(r *model.Run) bool { return strings.HasPrefix(r.Stopped, "budget") }
