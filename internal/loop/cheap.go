package loop

import (
	"context"
	"errors"
	"fmt"

	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// guardCheap runs the checks that need no test, and builds what will be
// measured.
func (s *Session) guardCheap(ctx context.Context, t *tried, number int) (bool, error) {
	if ok, err := s.guardGround(ctx, t); !ok {
		return ok, err
	}
	s.detail("compiling")
	names := importPaths(t.pkgs)
	vetted := s.vetBeside(ctx, names)
	ok, err := s.build(ctx, t, names, number)
	vet := <-vetted
	if !ok || err != nil {
		return ok, err
	}
	if ok, err := t.add(vet.check, vet.err); !ok {
		return ok, err
	}
	s.detail("asking the compiler")
	t.next.patterns = s.now.patterns
	if err := s.take(ctx, t.next); err != nil {
		return false, err
	}
	for _, c := range s.guard.Compiler(s.now.notes, t.next.notes, s.hot) {
		if !c.OK && t.Change.Kind == KindPatch {
			// A person may put something on the heap on purpose; the counts
			// will show what it costs.
			t.Warnings = append(t.Warnings, model.Warning{Seen: c.Name + ": " + c.Detail, Try: "see whether allocs/op rose"})
			c = model.Check{Name: c.Name, Skipped: c.Detail}
		}
		if ok, err := t.add(c, nil); !ok {
			return ok, err
		}
	}
	if d := t.Change.Inlines; d != nil {
		return t.add(s.guard.Inlines(s.now.notes, t.next.notes, *d), nil)
	}
	return true, nil
}

// guardGround refuses what a change may not touch. A patch is read as a whole;
// pawl's own changes are when they are about to be kept.
func (s *Session) guardGround(ctx context.Context, t *tried) (bool, error) {
	if t.Change.Kind == KindPatch {
		return s.inspect(ctx, t)
	}
	before := func(file string) []byte { return t.before[file] }
	return t.add(s.guard.Freeze(before, t.after), nil)
}

// A vetResult is what vetBeside sends.
type vetResult struct {
	check model.Check
	err   error
}

// vetBeside runs vet while the caller builds, and sends one result.
func (s *Session) vetBeside(ctx context.Context, names []string) <-chan vetResult {
	out := make(chan vetResult, 1)
	go func() {
		c, err := s.guard.Vet(ctx, names)
		out <- vetResult{c, err}
	}()
	return out
}

// build compiles the changed packages and builds the benchmarks of the tree
// with the change.
func (s *Session) build(ctx context.Context, t *tried, names []string, number int) (bool, error) {
	if ok, err := t.add(s.guard.Types(ctx, names)); !ok {
		return ok, err
	}
	var err error
	if t.next, err = s.buildVersion(ctx, fmt.Sprintf("c%d", number)); err != nil {
		var ge *gocmd.Error
		if errors.As(err, &ge) {
			return t.add(model.Check{Name: "types", Detail: ge.Output}, nil)
		}
		return false, err
	}
	if s.sameCode(t.next) {
		t.Reason = "the benchmarks' code is the same with and without it"
		return false, nil
	}
	return true, nil
}

// hot reports whether a place is on a line that a benchmark's profiles saw.
func (s *Session) hot(p model.Pos) bool {
	return s.hotLines[model.Pos{File: p.File, Line: p.Line}]
}

// sameCode reports whether no benchmark's machine code differs from the
// version before.
func (s *Session) sameCode(v *version) bool {
	for pkg, b := range v.bins {
		if b.Hash != s.now.bins[pkg].Hash {
			return false
		}
	}
	return true
}
