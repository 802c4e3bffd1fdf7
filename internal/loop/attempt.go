package loop

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/guard"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/stand"
)

// A tried is one change while it is in the tree.
type tried struct {
	model.Attempt
	before, after map[string][]byte // contents of the files it touches
	pkgs          []gocmd.Package   // that it changes
	next          *version          // the tree with the change
	undo          func() error
	counted       [][2]model.Sample // units that were run for their counts
	vetoed        bool              // a benchmark has become slower
	failing       *guard.Failing    // the tests that ended it; nil where none did
}

// attempt puts one change into the tree and through the guard and the trial.
// On return the tree holds the change when the outcome is kept, and is as it
// was otherwise. The error is for what prevents an answer, not for a bad one.
func (s *Session) attempt(ctx context.Context, c model.Change, number int) (t *tried, err error) {
	start := time.Now()
	s.tried[c.ID] = true
	s.stage(fmt.Sprintf("trying %d", number), c.Title)
	t = &tried{Attempt: model.Attempt{Change: c, Outcome: model.RolledBack, Time: start.UTC()}}
	if t.Diff, err = s.snap.Diff(c.Edits); err != nil {
		return t, fmt.Errorf("%s: %w", c.Title, err)
	}
	if t.pkgs, err = s.packagesOf(ctx, editedFiles(c.Edits)); err != nil {
		return t, err
	}
	s.detail("vet of the base")
	if err := s.guard.VetBase(ctx, importPaths(t.pkgs)); err != nil {
		return t, err
	}
	if err := s.stockBefore(ctx, c); err != nil {
		return t, err
	}
	if err := s.apply(t); err != nil {
		return t, err
	}
	defer s.failedBenchmarks(t)
	defer func() {
		t.Seconds = time.Since(start).Seconds()
		if t.Outcome != model.Kept {
			if err == nil {
				s.profileRefuted(ctx, t)
			}
			err = errors.Join(err, t.undo())
			s.drop(t.next)
			if err == nil {
				err = s.askBase(ctx, t)
			}
		}
	}()
	s.newPackages(ctx, t)
	ok, err := s.guardCheap(ctx, t, number)
	if !ok || err != nil {
		return t, err
	}
	ok, err = s.checkCounts(ctx, t, number)
	if !ok || err != nil {
		return t, err
	}
	ok, err = s.guardTests(ctx, t)
	if !ok || err != nil {
		return t, err
	}
	if c.Kind == KindPatch { // nothing is known of it: behaviour first
		if ok, err = s.behave(ctx, t); !ok || err != nil {
			return t, err
		}
	}
	if err := s.judge(ctx, t, number); err != nil || t.Outcome != model.Kept {
		return t, err
	}
	if c.Kind != KindPatch {
		if err := s.confirm(ctx, t); err != nil {
			return t, err
		}
	}
	if s.doubt(t) {
		s.value(t)
	}
	return t, nil
}

// confirm looks at the behaviour of one of pawl's own changes when it is about
// to be kept: its obligations are proven, so this is the second look, and most
// changes never come to it.
func (s *Session) confirm(ctx context.Context, t *tried) error {
	reason := t.Reason
	t.Outcome = model.RolledBack
	for _, look := range []func(context.Context, *tried) (bool, error){s.inspect, s.behave} {
		if ok, err := look(ctx, t); !ok || err != nil {
			return err
		}
	}
	t.Outcome, t.Reason = model.Kept, reason
	return nil
}

// apply writes the change into the tree, and remembers both contents.
func (s *Session) apply(t *tried) error {
	t.before, t.after = make(map[string][]byte), make(map[string][]byte)
	for _, e := range t.Change.Edits {
		t.before[e.File] = s.read(e.File)
	}
	undo, err := s.snap.Apply(t.Change.Edits)
	if err != nil {
		return fmt.Errorf("applying %q: %w", t.Change.Title, err)
	}
	t.undo = undo
	for file := range t.before {
		t.after[file] = s.read(file)
	}
	return nil
}

// newPackages adds the packages that a change brings with it. When they cannot
// be listed, the check of types will say why.
func (s *Session) newPackages(ctx context.Context, t *tried) {
	for _, before := range t.before {
		if before != nil {
			continue
		}
		if pkgs, err := s.packagesOf(ctx, editedFiles(t.Change.Edits)); err == nil {
			t.pkgs = pkgs
		}
		return
	}
}

// read returns a file of the tree as it is now, or nil where there is none.
func (s *Session) read(file string) []byte {
	data, err := s.source(file)
	if err != nil {
		return nil
	}
	return data
}

// add takes in a check, and reports whether the attempt may go on.
func (t *tried) add(c model.Check, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	t.Checks = append(t.Checks, c)
	if c.OK || c.Skipped != "" {
		return true, nil
	}
	first, _, _ := strings.Cut(c.Detail, "\n")
	t.Reason = c.Name + ": " + first
	return false, nil
}

// editedFiles lists the files that edits touch, once each.
func editedFiles(edits []model.Edit) []string {
	var files []string
	for _, e := range edits {
		if !slices.Contains(files, e.File) {
			files = append(files, e.File)
		}
	}
	return files
}

// packagesOf lists the packages that files of the tree belong to. Folders that
// are not there, or hold no package, are left out.
func (s *Session) packagesOf(ctx context.Context, files []string) ([]gocmd.Package, error) {
	var dirs []string
	for _, file := range files {
		dir := filepath.Join(s.snap.Dir, filepath.FromSlash(path.Dir(file)))
		rel, err := filepath.Rel(s.snap.ModuleDir, dir)
		if err != nil {
			return nil, err
		}
		if !filepath.IsLocal(rel) {
			return nil, stand.Usage(fmt.Sprintf("%s is outside the module %s; run pawl in the module it belongs to", file, s.Run.Module))
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(files) == 0 {
			continue
		}
		if rel = "./" + filepath.ToSlash(rel); !slices.Contains(dirs, rel) {
			dirs = append(dirs, rel)
		}
	}
	if len(dirs) == 0 {
		return nil, nil
	}
	slices.Sort(dirs)
	return s.go_.List(ctx, dirs...)
}

func importPaths(pkgs []gocmd.Package) []string {
	names := make([]string, len(pkgs))
	for i, p := range pkgs {
		names[i] = p.ImportPath
	}
	return names
}

// checkCounts compares allocs/op and B/op, which takes one unit where they do
// not differ, and drops a change whose whole point they were when the site it
// aimed at is still there.
func (s *Session) checkCounts(ctx context.Context, t *tried, number int) (bool, error) {
	p, ok := s.primary(t.Change)
	if !ok {
		return true, nil // a patch: every benchmark is looked at later
	}
	s.detail("counting allocations")
	counts, pairs, err := s.trial.Counts(ctx, p, s.now.bins[p.Benchmark.Pkg], t.next.bins[p.Benchmark.Pkg], s.rules(number).Alpha/countMetrics)
	if err != nil {
		return s.candidateFailed(ctx, t, err)
	}
	t.Counts, t.counted = counts, pairs
	if len(t.Change.Targets) == 0 || t.Change.Targets[0].Resource != model.Allocs {
		return true, nil
	}
	if gone := counts[0].Before - counts[0].After; !counts[0].Noisy && gone < siteGone*aimedAt(t.Change, p.Benchmark) {
		t.Reason = join("the allocation it aimed at is still there", countsText(counts))
		return false, s.saveSamples(p.Benchmark, t.Change.ID, pairs)
	}
	return true, nil
}

// siteGone is the part of the objects a change aimed at that must be gone for
// it to be credited: rates in a profile are estimates, of an iteration more or
// less at either end.
const siteGone = 0.9

// aimedAt is how many objects per op a change aims at in one benchmark.
func aimedAt(c model.Change, bm model.Benchmark) float64 {
	var n float64
	for _, t := range c.Targets {
		if t.Benchmark == bm && t.Resource == model.Allocs {
			n += t.PerOp
		}
	}
	return n
}

// primary returns the plan of the benchmark that a change is judged by: that
// of its first target.
func (s *Session) primary(c model.Change) (model.Plan, bool) {
	if len(c.Targets) == 0 {
		return model.Plan{}, false
	}
	return s.plan(c.Targets[0].Benchmark), true
}

// guardTests runs the tests of the changed and of the benchmarked packages,
// without and with the race detector.
func (s *Session) guardTests(ctx context.Context, t *tried) (bool, error) {
	for _, race := range []bool{false, true} {
		c, failing, err := s.runTests(ctx, t.next, s.concerned(t.pkgs), race)
		t.failing = failing
		if ok, err := t.add(c, err); !ok {
			return ok, err
		}
	}
	return true, nil
}

// drop removes the binaries of a version that is not needed any more.
func (s *Session) drop(v *version) {
	if v == nil || v == s.orig {
		return
	}
	for _, l := range v.linkers {
		_ = l.Close()
	}
	remove(v.bins)
	remove(v.race)
	remove(v.stock)
}

// importPathOf returns the import path of the package that a file of the tree
// belongs to.
func importPathOf(pkgs []gocmd.Package, root, file string) string {
	dir := filepath.Join(root, filepath.FromSlash(path.Dir(file)))
	for _, p := range pkgs {
		if p.Dir == dir {
			return p.ImportPath
		}
	}
	return ""
}
