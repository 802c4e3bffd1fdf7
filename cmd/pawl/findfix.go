package main

import (
	"context"
	"fmt"

	"github.com/pawl-dev/pawl/internal/find"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

// fixes makes the fixes, or shows them as a diff.
func (s *finding) fixes(ctx context.Context, e *env, opt find.Options, f *model.Findings) (int, error) {
	classes := "A"
	if !s.fix {
		classes = "AB"
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
			fmt.Fprint(e.stdout, tree.FileDiff(file.Name, file.Old, file.New))
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
	done := map[model.Pos]string{}
	for _, x := range fixed.Applied {
		done[x.At] = x.Rule
	}
	rest := []model.Finding{} // [] in JSON when all are fixed
	for _, x := range f.Findings {
		if done[x.At] != x.Rule {
			rest = append(rest, x)
		}
	}
	f.Findings, f.Left = rest, fixed.Left
	return s.print(e, f)
}
