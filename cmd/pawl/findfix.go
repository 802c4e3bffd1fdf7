package main

import (
	"context"
	"fmt"

	"github.com/pawl-dev/pawl/internal/explain/find"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

// fixes makes the fixes, or shows them as a diff.
func (s *finding) fixes(ctx context.Context, e *env, opt find.Options, f *model.Findings) (int, error) {
	x := fixing{fix: s.fix, diff: s.diff}
	if !s.diff {
		f.Warnings = append(f.Warnings, find.Own(f)...)
	}
	fixed, err := find.Fix(ctx, opt, f, x.classes())
	if err != nil {
		return 0, err
	}
	if s.diff {
		return x.show(e, fixed), nil
	}
	if f.Fixed, err = x.make(e, f.Root, fixed); err != nil {
		return 0, err
	}
	f.Findings, f.Left = without(f.Findings, fixed.Applied), fixed.Left
	return s.print(e, f)
}

// A fixing is what -fix and -diff ask for.
type fixing struct{ fix, diff bool }

func (x fixing) classes() string {
	if !x.fix {
		return "AB"
	}
	return "A"
}

func (x fixing) show(e *env, fixed *find.Fixed) int {
	left(e, fixed)
	for _, file := range fixed.Files {
		fmt.Fprint(e.data(), tree.FileDiff(file.Name, file.Old, file.New))
	}
	if len(fixed.Files) > 0 {
		return exitFindings
	}
	return exitOK
}

func (x fixing) make(e *env, root string, fixed *find.Fixed) (names []string, err error) {
	find.Sweep(root, e.now())
	left(e, fixed)
	if err := fixed.Write(); err != nil {
		return nil, err
	}
	for _, file := range fixed.Files {
		e.printf("fixed %s\n", file.Name)
		names = append(names, file.Name)
	}
	return names, nil
}

// left says which fixes were not made.
func left(e *env, fixed *find.Fixed) {
	for _, l := range fixed.Left {
		e.printf("pawl: %s: the fix of %s was not made: %s\n", l.At, l.Rule, l.Why)
	}
}

// without returns the findings without those that were fixed; several rules may
// have found something at one place. It is [] in JSON when all are fixed.
func without(all, fixed []model.Finding) []model.Finding {
	type key struct {
		rule string
		at   model.Pos
	}
	done := map[key]bool{}
	for _, x := range fixed {
		done[key{x.Rule, x.At}] = true
	}
	rest := []model.Finding{}
	for _, x := range all {
		if !done[key{x.Rule, x.At}] {
			rest = append(rest, x)
		}
	}
	return rest
}
