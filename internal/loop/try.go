package loop

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/reach"
	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/tree"
)

// KindPatch is the kind of a change that somebody else made.
const KindPatch = "patch"

// reachIterations is how many iterations tell the timed loop from set-up.
const reachIterations = 33

// Patch reads the change that pawl try was given: the name of a patch file, or
// a git ref.
func (s *Session) Patch(ctx context.Context, patchOrRef string, read func(name string) ([]byte, error)) (model.Change, error) {
	diff, err := read(patchOrRef)
	if err != nil {
		var rerr error
		if diff, rerr = tree.Patch(ctx, s.place, patchOrRef); rerr != nil {
			return model.Change{}, stand.Usage(fmt.Sprintf("%s is neither a patch file (%v) nor a git ref (%v)", patchOrRef, err, rerr))
		}
	}
	edits, err := s.snap.ReadPatch(diff)
	if err != nil {
		return model.Change{}, stand.Usage(fmt.Sprintf("%s: %v", patchOrRef, err))
	}
	sum := sha256.Sum256(diff)
	return model.Change{
		ID: fmt.Sprintf("%x", sum[:6]), Kind: KindPatch, Class: "B",
		Title:      "apply " + filepath.Base(patchOrRef),
		Hypothesis: "one of the benchmarks gets faster or allocates less, and none gets worse",
		Edits:      edits,
	}, nil
}

// Screen reads a given change before anything is measured, and reports whether
// it was refused: then it is recorded, and there is nothing to try.
func (s *Session) Screen(ctx context.Context, c model.Change) (refused bool, err error) {
	start := time.Now()
	s.stage("reading the change", c.Title)
	t := &tried{Attempt: model.Attempt{Change: c, Outcome: model.RolledBack, Time: start.UTC()}}
	if t.Diff, err = s.snap.Diff(c.Edits); err != nil {
		return false, fmt.Errorf("%s: %w", c.Title, err)
	}
	if err := s.apply(t); err != nil {
		return false, err
	}
	if err := t.undo(); err != nil {
		return false, err
	}
	ok, err := s.inspect(ctx, t)
	if ok || err != nil {
		return false, err
	}
	t.Seconds = time.Since(start).Seconds()
	s.Run.Attempts = append(s.Run.Attempts, t.Attempt)
	return true, s.journal(ctx, store.Event{Kind: store.Attempt, Attempt: &t.Attempt})
}

// Prove takes one given change, which Screen has let through, through all that
// costs time.
func (s *Session) Prove(ctx context.Context, c model.Change) error {
	if _, err := s.Plan(ctx); err != nil {
		return err
	}
	if err := s.CheckBase(ctx); err != nil {
		return err
	}
	return s.Try(ctx, c)
}

// Try puts one given change through guard and trial, and records it.
func (s *Session) Try(ctx context.Context, c model.Change) error {
	if err := s.journal(ctx, store.Event{Kind: store.Plan, Noise: s.Run.Noise}); err != nil {
		return err
	}
	reached, warnings, err := s.reach(ctx, c)
	if err != nil {
		return s.interrupted(ctx, err)
	}
	s.Run.Warnings = append(s.Run.Warnings, warnings...)
	if len(reached) == 0 {
		return s.notCovered(ctx, c)
	}
	s.judged = reached
	if err := s.noteChanged(ctx, c); err != nil {
		return s.interrupted(ctx, err)
	}
	if _, err := s.one(ctx, c); err != nil {
		return s.interrupted(ctx, err)
	}
	return nil
}

// noteChanged makes sure that the compiler's notes on the base speak of the
// packages that a change touches, whether or not the profiles show them.
func (s *Session) noteChanged(ctx context.Context, c model.Change) error {
	changed, err := s.packagesOf(ctx, editedFiles(c.Edits))
	if err != nil {
		return err
	}
	missing := false
	for _, name := range importPaths(changed) {
		if !slices.Contains(s.now.patterns, name) {
			s.now.patterns, missing = append(s.now.patterns, name), true
		}
	}
	if !missing {
		return nil
	}
	return s.take(ctx, s.now)
}

// interrupted notes that the user ended the run, which is no error.
func (s *Session) interrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	s.Run.Stopped = "interrupted"
	return nil
}

// notCovered records a change that no benchmark can judge.
func (s *Session) notCovered(ctx context.Context, c model.Change) error {
	diff, err := s.snap.Diff(c.Edits)
	if err != nil {
		return err
	}
	a := model.Attempt{
		Change: c, Diff: diff, Outcome: model.RolledBack,
		Reason: "not covered: no chosen benchmark runs a changed line in its timed loop",
	}
	for _, p := range s.Run.Plans {
		a.Verdicts = append(a.Verdicts, model.Verdict{Benchmark: p.Benchmark, Metric: "cpu/op", Answer: model.Undecided, Level: 1 - s.opt.Alpha})
	}
	s.Run.Attempts = append(s.Run.Attempts, a)
	return s.journal(ctx, store.Event{Kind: store.Attempt, Attempt: &a})
}

// reach finds the benchmarks that run a changed line in their timed loop, or,
// where none does, those that run the function around one. It says of the others
// how far they come.
func (s *Session) reach(ctx context.Context, c model.Change) ([]model.Plan, []model.Warning, error) {
	s.stage("which benchmarks reach the change", "")
	files := make(map[string][]byte)
	for _, e := range c.Edits {
		if strings.HasSuffix(e.File, ".go") && !strings.HasSuffix(e.File, "_test.go") {
			files[e.File] = s.read(e.File)
		}
	}
	if len(files) == 0 {
		return s.Run.Plans, nil, nil // the guard refuses it with a better reason
	}
	changed, err := s.packagesOf(ctx, slices.Sorted(maps.Keys(files)))
	if err != nil {
		return nil, nil, err
	}
	pkgOf := func(file string) string { return importPathOf(changed, s.snap.Dir, file) }
	var reached, beside []model.Plan
	short := make(map[reach.Reach][]string) // benchmarks that do not come far enough
	bins := make(map[string]reach.Binary)
	for _, p := range s.Run.Plans {
		bin, ok := bins[p.Benchmark.Pkg]
		if !ok {
			out := filepath.Join(s.stand.Scratch, fmt.Sprintf("cover%d.test", len(bins)))
			if bin, err = reach.Build(ctx, s.go_, s.pkgs[p.Benchmark.Pkg], importPaths(changed), out); err != nil {
				return nil, nil, err
			}
			bins[p.Benchmark.Pkg] = bin
		}
		var cov *reach.Coverage
		err := patiently(ctx, func() (err error) {
			cov, err = bin.Benchmark(ctx, s.go_, p.Benchmark, min(reachIterations, max(3, p.N)))
			return err
		})
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("coverage of %s", p.Benchmark.Name), err)
		}
		s.covers = append(s.covers, func(file string, from, to int) (setUp, timed bool) {
			far := cov.Lines(pkgOf(file), file, from, to)
			return far == reach.Untimed, far == reach.Timed
		})
		far := furthest(cov, c.Edits, files, pkgOf)
		switch {
		case far == reach.Timed:
			reached = append(reached, p)
			continue
		case runsAround(cov, c.Edits, files, pkgOf):
			beside = append(beside, p)
		}
		short[far] = append(short[far], p.Benchmark.String())
	}
	if len(reached) == 0 && len(beside) > 0 {
		return beside, []model.Warning{besideText(beside)}, nil
	}
	var warnings []model.Warning
	for _, far := range slices.Sorted(maps.Keys(short)) {
		warnings = append(warnings, model.Warning{
			Seen:  fmt.Sprintf("%s: %s", strings.Join(short[far], ", "), farText[far]),
			Cause: "what a benchmark does not run while its timer runs does not show in its figures, so it cannot judge this change",
			Try:   "a benchmark that calls the changed function in its loop: pawl bench-stub " + offered(c.Edits, files, pkgOf) + " writes one from inputs of the tests",
		})
	}
	return reached, warnings, nil
}

var farText = map[reach.Reach]string{
	reach.NoCode:  "there is no statement on the changed lines",
	reach.Never:   "the changed lines never run",
	reach.Untimed: "the changed lines run in the set-up only",
}

// runsAround reports whether another line of a function that the edits touch
// runs in the timed loop.
func runsAround(cov *reach.Coverage, edits []model.Edit, files map[string][]byte, pkg func(file string) string) bool {
	return slices.ContainsFunc(edits, func(e model.Edit) bool {
		_, lines, ok := around(e, files[e.File])
		return ok && cov.Lines(pkg(e.File), e.File, lines.from, lines.to) == reach.Timed
	})
}

// besideText says of benchmarks that they run the functions that change, but
// none of the lines.
func besideText(plans []model.Plan) model.Warning {
	var names []string
	for _, p := range plans {
		names = append(names, p.Benchmark.String())
	}
	return model.Warning{
		Seen: strings.Join(names, ", ") + ": the changed lines do not run in the timed loop, only others of their function",
		Cause: "a function is compiled as a whole: a line that never runs can decide whether a variable is on the heap, or whether the function is inlined; " +
			"what the line itself costs does not show here",
		Try: "trust the counts and the compiler's notes first",
	}
}

// furthest returns how far execution came on any line that the edits touch.
func furthest(cov *reach.Coverage, edits []model.Edit, files map[string][]byte, pkg func(file string) string) reach.Reach {
	far := reach.NoCode
	for _, e := range edits {
		src, ok := files[e.File]
		if !ok || src == nil {
			continue
		}
		from := 1 + bytes.Count(src[:e.Start], []byte("\n"))
		// An edit of whole lines ends after the last line's newline.
		to := from + bytes.Count(bytes.TrimSuffix(src[e.Start:e.End], []byte("\n")), []byte("\n"))
		far = max(far, cov.Lines(pkg(e.File), e.File, from, to))
	}
	return far
}
