package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

// sources compares two states of the module's tree.
func (s *session) sources(ctx context.Context) error {
	var err error
	s.bed, err = testbed.Open(ctx, testbed.Options{
		Verb: s.opt.Verb, Dir: s.opt.Dir, Env: s.opt.Env, CacheDir: s.opt.CacheDir, Start: s.start, Sandbox: s.opt.Sandbox,
		Stage: func(name string) { s.stage(name, "") }, Warn: func(w model.Warning) { s.warn(w) },
	})
	if err != nil {
		return err
	}
	defer s.bed.Close()
	s.warn(s.bed.Warnings...)
	s.save = recorder{run: s.bed.Run}
	s.cmp.ID, s.cmp.Dir = s.bed.Run.ID, s.bed.Run.Dir
	if err := s.resolve(ctx); err != nil {
		return err
	}
	base, cand, err := s.versions(ctx)
	if err != nil && spent(ctx) && base != nil {
		s.unreached(base, s.lateBuild())
		return errors.Join(s.ended(ctx, err), s.finish(ctx))
	}
	if err != nil {
		return err
	}
	s.reproducible(base, cand)
	if err := s.bed.Journal(ctx, s.cmp.Env.GoVersion, store.Event{Kind: store.Start, Verb: s.opt.Verb, Args: s.opt.Args, Head: s.bed.Place.Head}); err != nil {
		return err
	}
	s.local = trial.NewLocal(base.tree.Suite)
	defer s.local.Close()
	s.trial = trial.New(s.local, s.opt.Seed)
	matches, err := s.match(ctx, base, cand)
	if err != nil && spent(ctx) {
		s.unreached(base, "not looked at: "+notListed)
	}
	if err == nil && len(matches)+len(s.cmp.Benchmarks) == 0 {
		return testbed.NoBenchmark(base.found, s.patterns(), s.opt.Bench)
	}
	if err == nil {
		err = s.cut(ctx, s.judgeAll(ctx, matches))
	}
	if err == nil {
		err = s.graphs(ctx, matches)
	}
	if err == nil {
		err = s.cut(ctx, s.coverage(ctx, base, cand))
	}
	if err == nil && s.recorded {
		err = s.checkRecords(ctx, base.records, cand.records)
	}
	err = s.ended(ctx, err) // it is saved
	return errors.Join(err, s.finish(ctx))
}

// finish writes the last state of the run, also of one that was interrupted.
func (s *session) finish(ctx context.Context) error {
	s.cmp.Split = s.bed.Meter.Split(s.opt.Now())
	s.cmp.Samples = s.save.files
	if s.opt.Baseline != nil {
		s.warn(s.opt.Baseline.Warnings(s.start, s.cmp)...)
	}
	return errors.Join(
		s.save.save(s.cmp),
		s.bed.Journal(context.WithoutCancel(ctx), s.cmp.Env.GoVersion, store.Event{Kind: store.Stop, Verb: s.opt.Verb, Text: s.cmp.Stopped}),
	)
}

// resolve turns the names of the sides into commits.
func (s *session) resolve(ctx context.Context) error {
	place := s.bed.Place
	if s.opt.gate() {
		return s.mergeBase(ctx)
	}
	for _, side := range []*model.Side{&s.cmp.Base, &s.cmp.Candidate} {
		if side.Kind != model.SideRef {
			continue
		}
		if !place.Git {
			return testbed.Usage(fmt.Sprintf("%s is no file, and %s %s, so it cannot be a ref", side.Name, place.Module, place.NoGit))
		}
		var err error
		if side.Commit, err = tree.Resolve(ctx, place, side.Name); err != nil {
			return testbed.Usage(fmt.Sprintf("%s is neither a file nor a git ref: %v", side.Name, err))
		}
	}
	return nil
}

// mergeBase finds what a gate compares with.
func (s *session) mergeBase(ctx context.Context) error {
	place := s.bed.Place
	if !place.Git || place.Head == "" {
		return testbed.Usage("a gate compares with a commit, and " + place.Module + " " + cmp.Or(place.NoGit, "is in a git repository without one") + "; pawl compare takes test binaries too")
	}
	name := s.opt.Base
	if name == "" {
		var err error
		if name, err = tree.DefaultBase(ctx, place, s.getenv); err != nil {
			return testbed.Usage(fmt.Sprintf("what does this branch merge into? %v", err))
		}
	}
	if _, err := tree.Resolve(ctx, place, name); err != nil {
		return testbed.Usage(fmt.Sprintf("-base %s: %v", name, err))
	}
	commit, err := tree.MergeBase(ctx, place, name, place.Head)
	if err != nil {
		return fmt.Errorf("the merge base of %s and HEAD: %w", name, err)
	}
	s.cmp.Base.Name, s.cmp.Base.Commit = "merge base with "+name, commit
	if commit == place.Head && !place.Dirty {
		s.warn(model.Warning{
			Seen:  "the work tree is the same as the merge base with " + name,
			Cause: "the branch has no commits of its own",
			Try:   "-base HEAD~1, to compare with the commit before",
		})
	}
	return nil
}

func (s *session) getenv(key string) string {
	for _, kv := range slices.Backward(s.opt.Env) {
		if k, v, ok := strings.Cut(kv, "="); ok && k == key {
			return v
		}
	}
	return ""
}

// versions builds both sides, the base first, and leaves the base's tree in
// place: benchmarks of both run in its directories.
func (s *session) versions(ctx context.Context) (base, cand *version, err error) {
	tb, err := s.checkout(ctx, s.cmp.Base)
	if err != nil {
		return nil, nil, err
	}
	s.cmp.Env = tb.Env
	s.warn(tb.Warnings...)
	if base, err = s.build(ctx, model.Base, tb, nil); err != nil {
		return base, nil, err
	}
	if err := base.broken(); err != nil {
		return nil, nil, err
	}
	if s.opt.gate() {
		// One of the base that cannot be read any more is the base's matter.
		base.records, _, _ = recordsOf(tb)
	}
	if base.funcs, err = s.functions(ctx, base); err != nil {
		return base, nil, err
	}
	tc, err := s.checkout(ctx, s.cmp.Candidate)
	if err != nil {
		return base, nil, err
	}
	start := time.Now()
	if cand, err = s.build(ctx, model.Candidate, tc, base); err != nil {
		return base, cand, err
	}
	cand.took = time.Since(start)
	if err := cand.broken(); err != nil {
		return nil, nil, err
	}
	if s.opt.gate() {
		if cand.records, _, err = recordsOf(tc); err != nil { // read again when they are checked
			return nil, nil, err
		}
		s.recorded = len(base.records)+len(cand.records) > 0
	}
	s.stage("going back to the base", "")
	if _, err := s.bed.Tree(ctx, s.cmp.Base.Commit); err != nil {
		return base, cand, err
	}
	return base, cand, nil
}

// unreached records as undecided the benchmark functions of the base of which
// nothing is recorded yet, because the budget ended.
func (s *session) unreached(base *version, why string) {
	for _, path := range base.found.Names() {
		b := base.builds[path]
		if b == nil {
			continue
		}
		for _, f := range functions(b, s.opt.Bench) {
			known := func(c model.Compared) bool { return c.Benchmark.Pkg == path && function(c.Benchmark) == f }
			if !slices.ContainsFunc(s.cmp.Benchmarks, known) {
				s.cmp.Benchmarks = append(s.cmp.Benchmarks, model.Compared{Benchmark: model.Benchmark{Pkg: path, Name: f}, Standing: model.Open, Why: why})
			}
		}
	}
}

// checkout makes the copy hold one side.
func (s *session) checkout(ctx context.Context, side model.Side) (*testbed.Checkout, error) {
	c, err := s.bed.Commit(ctx, s.commit(side))
	if err != nil {
		return nil, err
	}
	return c, s.patch(ctx, c.Snap, side)
}

// commit is what a side is taken from: of a patch, the base's.
func (s *session) commit(side model.Side) string {
	if side.Kind == model.SidePatch {
		return s.cmp.Base.Commit
	}
	return side.Commit
}

// patch applies the patch that a side is, if it is one.
func (s *session) patch(ctx context.Context, snap *tree.Snapshot, side model.Side) error {
	if side.Kind != model.SidePatch {
		return nil
	}
	patch, err := foreign.Do(ctx, func() ([]byte, error) { return tree.OpenPatch(foreign.Path(s.opt.Dir, side.Name)) })
	if err != nil {
		return fmt.Errorf("reading the patch: %w", err)
	}
	if err := snap.ApplyPatch(ctx, patch); err != nil {
		return testbed.Usage(fmt.Sprintf("%s does not apply to %s: %v", side.Name, s.cmp.Base.Name, err))
	}
	return nil
}

// broken is the error of a side of which nothing builds.
func (v *version) broken() error {
	var first *build
	for _, path := range v.found.Names() {
		b := v.builds[path]
		if b.failed == nil {
			return nil // it builds, or was not tried
		}
		if first == nil {
			first = b
		}
	}
	if first == nil {
		return nil // no packages: said elsewhere
	}
	return &testbed.BrokenTree{Name: "the " + string(v.name), What: "does not build", Detail: first.failed.Error(), Next: v.tree.LeftHint("fix it, or name other packages")}
}

// reproducible notes how the sides were built, and warns where not only the
// sources differ.
func (s *session) reproducible(base, cand *version) {
	for _, v := range []struct {
		side *model.Side
		env  model.Environment
	}{{&s.cmp.Base, base.tree.Env}, {&s.cmp.Candidate, cand.tree.Env}} {
		v.side.GoVersion, v.side.Settings = v.env.GoVersion, v.env.Settings
	}
	s.cmp.Module = base.found.Module
	if base.tree.Env.GoVersion != cand.tree.Env.GoVersion {
		s.warn(model.Warning{
			Seen:  fmt.Sprintf("the sides are built by %s and %s", base.tree.Env.GoVersion, cand.tree.Env.GoVersion),
			Cause: "their go.mod files select different toolchains",
			Try:   "read the verdicts as those of source and toolchain together",
		})
	}
	if !maps.Equal(base.tree.Env.Settings, cand.tree.Env.Settings) {
		s.warn(model.Warning{Seen: "the sides are built with different settings", Cause: "go.env or go.mod differ", Try: "compare like with like: set them in the environment"})
	}
}
