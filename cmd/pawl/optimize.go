package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/loop"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
)

func optimizeVerb() *verb {
	return &verb{
		name: "optimize", args: "[packages]", short: "make it faster, unattended",
		long: `
Optimize measures the benchmarks of the packages, finds what costs most and
why, and tries what could help, one change at a time. A change is kept when
vet, the tests and the race detector find nothing, base and candidate did the
same side by side as far as that could be tried, and the duets prove the gain.

Kept changes become commits on a branch pawl/TIME on top of HEAD, each with
its evidence; your tree is not touched. Where a file has uncommitted edits, or
there is no git, they become a series of patches. At the end the original and
the final state are measured afresh against each other.

A run that was killed, interrupted or short of budget goes on with -resume, or
-resume RUN for another than the newest: what it kept is on its branch, what
it tried is not tried again, and its flags and packages hold unless given
anew. It gets what is left of its budget, or what -budget says.

Every claim holds for the benchmark it was measured in.

It exits with 0 when it came to its end, whether or not anything was kept.`,
		run: runOptimize,
	}
}

func runOptimize(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	set, opt, progress, err := startOptimize(ctx, e, v, args)
	if err != nil {
		return 0, err
	}
	defer progress.Done()
	s, changes, err := prepare(ctx, opt)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	said := 0 // warnings that the plan has shown
	if !set.json {
		progress.Done()
		if err := report.Plan(e.stdout, s.Run, e.view(set.color, e.outTTY)); err != nil {
			return 0, err
		}
		fmt.Fprintln(e.stdout)
		said = len(s.Run.Warnings)
	}
	if len(changes) > 0 || s.Resumed() {
		if err := s.CheckBase(ctx); err != nil {
			return 0, err
		}
		if changes, err = s.Replay(ctx, changes); err != nil {
			return 0, err
		}
		if err := s.Optimize(ctx, changes); err != nil {
			return 0, err
		}
	}
	code, err := finish(ctx, e, s, set, progress, said)
	if err == nil && s.Run.Stopped != "" && !set.quiet {
		more := ""
		if strings.HasPrefix(s.Run.Stopped, "budget") {
			more = " -budget " + short(2*set.budget)
		}
		e.printf("pawl: pawl optimize -resume%s goes on with this run\n", more)
	}
	return code, err
}

// short writes a time without the parts that are zero: 3m, not 3m0s.
func short(d time.Duration) string {
	t := d.String()
	if strings.HasSuffix(t, "m0s") {
		t = strings.TrimSuffix(t, "0s")
	}
	if strings.HasSuffix(t, "h0m") {
		t = strings.TrimSuffix(t, "0m")
	}
	return t
}

// finish compares original with final and shows the run. The text leaves out
// what the plan has shown above it: so many of the warnings, and what cannot
// be explained.
func finish(ctx context.Context, e *env, s *loop.Session, set *settings, progress *report.Progress, said int) (int, error) {
	if err := s.Finish(ctx); err != nil {
		return 0, err
	}
	if err := s.Page(); err != nil {
		return 0, err
	}
	progress.Done()
	shown := *s.Run
	if !set.json && said > 0 {
		shown.Warnings = shown.Warnings[said:]
	}
	if !set.json && s.Run.Verb == "optimize" {
		shown.Unexplained = nil
	}
	if err := set.show(e, &shown, report.Text); err != nil {
		return 0, err
	}
	return code(s.Run), nil
}

// code is the exit code of a finished run of optimize.
func code(r *model.Run) int {
	if r.Stopped == "interrupted" {
		return exitFailed
	}
	return exitOK
}
