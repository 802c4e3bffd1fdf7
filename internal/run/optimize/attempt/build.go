package attempt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// frozen refuses what a change may not touch.
func (t *subject) frozen(context.Context) (*refusal, error) {
	before := func(file string) []byte { return t.before[file] }
	return t.add(t.m.Guard.Freeze(before, t.After)), nil
}

// A compiling are the checks for which the change is built.
type compiling struct {
	*subject
	link   *state.Begun // of the benchmarks
	noting *state.Begun // of the compiler's notes, where these come next
	vet    struct {     // what it has found while the change was built
		check model.Check
		err   error
	}
}

// types compiles the changed packages with their tests: by linking the benchmarks, where that
// takes in all of them, as the go command would compile them twice at a time. Beside that goes on
// what the next check asks for.
func (t *compiling) types(ctx context.Context) (*refusal, error) {
	t.m.Watch.Detail("compiling")
	start := time.Now()
	t.Next, t.p.built = cmp.Or(t.p.built, t.p.ahead.take(t.subject), t.m.New(fmt.Sprintf("c%d", t.number))), nil
	own, notesNext := t.policy.profiled, !saves(t.Change)
	if own && notesNext {
		t.beginNotes(ctx)
	}
	if !slices.ContainsFunc(t.pkgs, func(p gocmd.Package) bool { _, ok := t.m.Pkgs[p.ImportPath]; return !ok }) {
		t.beginLink(ctx)
		if own && !notesNext {
			t.vets(ctx)
		}
		r, err := t.linked()
		if r == nil && err == nil {
			return t.add(model.Check{Name: "types", OK: true, Seconds: time.Since(start).Seconds()}), nil
		}
		t.noting.Stop()
		return r, err
	}
	if own && !notesNext {
		t.beginLink(ctx)
	}
	c, err := t.m.Guard.Types(ctx, ImportPaths(t.pkgs))
	if err != nil || !c.OK {
		t.noting.Stop()
		t.link.Stop()
	}
	if err != nil {
		return nil, err
	}
	return t.add(c), nil
}

// builds links the benchmarks of the tree with the change, with vet beside it.
func (t *compiling) builds(ctx context.Context) (*refusal, error) {
	t.m.Watch.Detail("building")
	t.beginLink(ctx)
	if !t.policy.profiled { // which asks for them in any case
		t.beginNotes(ctx)
	}
	t.vets(ctx)
	return t.linked()
}

// vets runs vet, unless that was done before.
func (t *compiling) vets(ctx context.Context) {
	if t.vet.check.Name == "" && t.vet.err == nil {
		t.vet.check, t.vet.err = t.m.Guard.Vet(ctx, ImportPaths(t.pkgs))
	}
}

// beginLink begins to link, unless that was done before.
func (t *compiling) beginLink(ctx context.Context) {
	if t.link != nil {
		return
	}
	t.link = state.Begin(ctx, func(ctx context.Context) error {
		if t.Next.Linked() { // by Count
			return nil
		}
		return t.Next.Link(ctx, t.Base)
	})
}

// linked takes in what came of it.
func (t *compiling) linked() (*refusal, error) {
	err := t.link.Err()
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return t.add(model.Check{Name: "types", Detail: ge.Output}), nil
	}
	return nil, err
}

// differs refuses a change that no benchmark can show.
func (t *subject) differs(context.Context) (*refusal, error) {
	if t.Next.Same(t.Base) {
		return &refusal{sameCode, model.SameCode}, nil
	}
	return nil, nil
}

// vetted takes in what vet found during the build.
func (t *compiling) vetted(context.Context) (*refusal, error) {
	if t.vet.err != nil {
		return nil, t.vet.err
	}
	return t.add(t.vet.check), nil
}

// compiler refuses what puts more on the heap on hot lines, and what does not make
// the compiler do what the change is for. It warns of a call on a hot line that is no
// longer inlined, since the duets show what that costs. Beside it the benchmarks are linked, which a
// change that is let through needs next.
func (t *compiling) compiler(ctx context.Context) (*refusal, error) {
	t.beginLink(ctx)
	checks, err := t.notes(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range checks {
		if c.Name == guard.Inlining {
			c = t.warns(c, "see whether it is slower")
		}
		if r := t.add(c); r != nil {
			return r, nil
		}
	}
	return nil, nil
}

// warns makes a warning of a check that failed.
func (t *subject) warns(c model.Check, try string) model.Check {
	if c.OK {
		return c
	}
	t.Warnings = append(t.Warnings, model.Warning{Seen: c.Name + ": " + strings.ReplaceAll(c.Detail, "\n", "; "), Try: try})
	return model.Check{Name: c.Name, Skipped: c.Detail}
}

// compilerWarns is compiler for who may put something on the heap on purpose:
// the counts will show what it costs.
func (t *compiling) compilerWarns(ctx context.Context) (*refusal, error) {
	checks, err := t.notes(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range checks {
		t.add(t.warns(c, "see whether allocs/op rose"))
	}
	return nil, nil
}

// beginNotes begins to ask the compiler about the change, unless that was done.
func (t *compiling) beginNotes(ctx context.Context) {
	if t.noting == nil && t.Next.Notes() == nil {
		t.noting = state.Begin(ctx, func(ctx context.Context) error { return t.Next.TakeNotes(ctx, t.Base) })
	}
}

func (t *compiling) notes(ctx context.Context) ([]model.Check, error) {
	if t.beginNotes(ctx); t.noting != nil {
		t.m.Watch.Detail("asking the compiler")
		if err := t.noting.Err(); err != nil {
			return nil, err
		}
	}
	return t.noted(t.Change, t.Next), nil
}

// noted compares the compiler's notes on hot lines without a change and with it, and sees
// whether it inlines what the change is there for.
func (t *subject) noted(c model.Change, with *state.State) []model.Check {
	checks := t.m.Guard.Compiler(t.Base.Notes(), with.Notes(), func(at model.Pos) bool {
		return t.policy.timed(at.File, at.Line, at.Line) || t.Base.Hot(at) // by coverage, where it was asked, or by profiles
	})
	if c.Inlines != nil {
		checks = append(checks, t.m.Guard.Inlines(t.Base.Notes(), with.Notes(), *c.Inlines))
	}
	return checks
}
