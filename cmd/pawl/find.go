package main

import (
	"context"

	"github.com/pawl-dev/pawl/internal/report"
)

func findVerb() *verb {
	return &verb{
		name: "find", args: "[packages]", short: "only say what costs, why, and what could be tried",
		long: `
Find is the first half of optimize: it measures the benchmarks, ranks the
lines that cost, gives the compiler's reason for each, and says what could be
tried and what this machine would be able to see. It changes nothing.

It exits with 1 when there is something to try.`,
		run: runFind,
	}
}

func runFind(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var set settings
	opt, _, progress, err := set.start(e, v, args, 0)
	if err != nil {
		return 0, err
	}
	defer progress.Done()
	s, changes, err := prepare(ctx, opt)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	if err := s.End(ctx); err != nil {
		return 0, err
	}
	progress.Done()
	if err := set.show(e, s.Run, report.Plan); err != nil {
		return 0, err
	}
	if len(changes) > 0 {
		return exitFindings, nil
	}
	return exitOK, nil
}
