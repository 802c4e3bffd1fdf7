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
	classes := "A"
	if !s.fix {
		classes = "AB"
	}
	if !s.diff {
		find.Sweep(f.Root, e.now())
	}
	fixed, err := find.Fix(ctx, opt, f, classes)
	if err != nil {
		return 0, err
	}
	for _, l := range fixed.Left {
		e.printf("pawl: %s: the fix of %s was not made: %s\n", l.At, l.Rule, l.Why)
	}
	if s.diff {
		for _, file := range fixed.Files {
			fmt.Fprint(e.data(), tree.FileDiff(file.Name, file.Old, file.New))
		}
		if len(fixed.Files) > 0 {
			return exitFindings, nil
		}
		return exitOK, nil
	}
	if err := fixed.Write(); err != nil {
		return 0, err
	}
	for _, file := range fixed.Files {
		e.printf("fixed %s\n", file.Name)
		f.Fixed = append(f.Fixed, file.Name)
	}
	f.Findings, f.Left = without(f.Findings, fixed.Applied), fixed.Left
	return s.print(e, f)
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
