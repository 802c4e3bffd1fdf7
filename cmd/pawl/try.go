package main

import (
	"context"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize"
	"github.com/pawl-dev/pawl/internal/tree"
)

const tryManual = `
Try puts one change through the same guard and the same judge as pawl's own:
a patch file (a unified diff relative to the top of the repository), or a git
ref: a branch stands for what it adds since it left HEAD, a commit for itself.
With -C the name of the file is relative to that directory. Where only some
functions of a patch need -allow, the others are tried without them.

It exits with 0 when the change holds up, 1 when it or a part of it does not (a
check failed, it is slower, or there is no worthwhile effect), and 4 when that
could not be decided: no benchmark runs the changed lines, the budget did not
suffice, or no changed function could be compared with the base's (-allow
uncompared lets the tests speak for it alone).`

func runTry(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var set settings
	opt, operands, progress, err := set.start(ctx, e, v, args, 1)
	if err != nil {
		return 0, err
	}
	defer progress.Done()
	dir, err := changeDir(e, set.chdir)
	if err != nil {
		return 0, err
	}
	s, err := optimize.Open(ctx, opt)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	change, err := s.Patch(ctx, operands[0], func(name string) ([]byte, error) {
		return foreign.Do(ctx, func() ([]byte, error) { return tree.OpenPatch(foreign.Path(dir, name)) })
	})
	if err != nil {
		return 0, err
	}
	change, ended, err := s.ScreenParts(ctx, change)
	if err != nil {
		return 0, err
	}
	if !ended {
		if err := s.Prove(ctx, change); err != nil {
			return 0, err
		}
	}
	if _, err := finish(ctx, e, s, &set, progress); err != nil {
		return 0, err
	}
	return tryCode(s.Run), nil
}

func tryCode(r *model.Run) int {
	if len(r.Attempts) == 0 || r.Stopped == "interrupted" {
		return exitFailed
	}
	code := exitOK
	for _, a := range r.Attempts { // two where the patch was tried in part
		switch {
		case a.Outcome == model.RolledBack:
			return exitFindings
		case a.Outcome == model.Unsettled:
			code = exitUndecided
		}
	}
	return code
}
