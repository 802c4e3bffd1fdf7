package attempt

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// ownTests runs the tests that the change brings, before those of the base. They are no part of what is kept: what judges comes in a commit of its
// own. Where they do not compile, that is said and refutes nothing.
func (t *Attempt) ownTests(ctx context.Context) (_ *refusal, err error) {
	files := EditedFiles(t.Change.Tests)
	if len(files) == 0 {
		return nil, nil
	}
	undo, err := t.m.Snap.Apply(t.Change.Tests)
	if err != nil {
		return nil, fmt.Errorf("putting in the tests of %q: %w", t.Change.Title, err)
	}
	bins, failed, err := t.proof.buildOwn(ctx, files)
	if err = errors.Join(err, undo()); err != nil {
		return nil, err
	}
	t.Warnings = append(t.Warnings, model.Warning{
		Seen: "the change brings tests, which were run and are not kept with it: " + strings.Join(files, ", "),
		Try:  "commit them beside what is kept",
	})
	if failed != "" {
		t.Uncompared = append(t.Uncompared, "the tests that the change brings: they do not compile on it: "+failed)
		return nil, nil
	}
	c, _, err := t.beforeToo(ctx, func() (model.Check, *guard.Failing, error) { return t.m.Guard.Tests(ctx, "own tests", bins) })
	if err != nil {
		return nil, err
	}
	return t.add(c), nil
}

// buildOwn builds the tests of the packages that files are in, or says why not.
func (x *exhibit) buildOwn(ctx context.Context, files []string) (bins []guard.Tested, failed string, err error) {
	pkgs, err := x.of.m.PackagesOf(ctx, files)
	if err != nil {
		return nil, "", err
	}
	for i, p := range pkgs {
		out := filepath.Join(x.of.m.Scratch, fmt.Sprintf("own%d.test", i))
		err := x.of.m.Go.BuildTest(ctx, p.ImportPath, out, gocmd.BuildOpts{})
		var ge *gocmd.Error
		if errors.As(err, &ge) {
			return nil, words.FirstError(ge.Output), nil
		}
		if err != nil {
			return nil, "", err
		}
		bins = append(bins, guard.Tested{Pkg: p, Path: out, Among: x.among})
	}
	return bins, "", nil
}
