package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/loop"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

func tryVerb() *verb {
	return &verb{
		name: "try", args: "PATCH|REF [packages]", short: "prove or refute one change that you bring",
		long: `
Try puts one change through the same guard and the same judge as pawl's own:
a patch file (a unified diff relative to the top of the repository), or a git
ref: a branch stands for what it adds since it left HEAD, a commit for itself.

It exits with 0 when the change holds up, 1 when it does not (a check failed,
it is slower, or there is no worthwhile effect), and 4 when that could not be
decided, for example because no benchmark runs the changed lines.`,
		run: runTry,
	}
}

func runTry(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var set settings
	opt, operands, progress, err := set.start(e, v, args, 1)
	if err != nil {
		return 0, err
	}
	defer progress.Done()
	s, err := loop.Open(ctx, opt)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	change, err := s.Patch(ctx, operands[0], func(name string) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(e.dir, name)
		}
		return tree.OpenPatch(name)
	})
	if err != nil {
		return 0, err
	}
	refused, err := s.Screen(ctx, change)
	if err != nil {
		return 0, err
	}
	if !refused {
		if err := s.Prove(ctx, change); err != nil {
			return 0, err
		}
	}
	if _, err := finish(ctx, e, s, &set, progress, 0); err != nil {
		return 0, err
	}
	return tryCode(s.Run), nil
}

// tryCode is the exit code of a finished run of try.
func tryCode(r *model.Run) int {
	if len(r.Attempts) == 0 || r.Stopped == "interrupted" {
		return exitFailed
	}
	a := r.Attempts[0]
	switch {
	case a.Outcome == model.Kept:
		return exitOK
	case refuted(a):
		return exitFindings
	}
	return exitUndecided
}

// refuted reports whether something was shown that speaks against a change:
// where a benchmark is open, that another one shows no effect is not enough.
func refuted(a model.Attempt) bool {
	failed := func(c model.Check) bool { return !c.OK && c.Skipped == "" && len(c.Chance) == 0 }
	more := func(e model.Exact) bool { return e.Metric == "allocs/op" && (e.Rose() || e.Trend > 0) }
	slower := func(v model.Verdict) bool { return v.Answer == model.Slower }
	open := func(v model.Verdict) bool { return v.Answer != model.NoEffect }
	return slices.ContainsFunc(a.Checks, failed) || slices.ContainsFunc(a.Counts, more) || slices.ContainsFunc(a.Verdicts, slower) ||
		slices.ContainsFunc(a.Guards, func(g model.Guard) bool { return g.Tripped }) ||
		len(a.Verdicts) > 0 && !slices.ContainsFunc(a.Verdicts, open)
}
