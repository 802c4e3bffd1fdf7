package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/trial"
)

// sources compares two states of the module's tree.
func (s *session) sources(ctx context.Context) error {
	var err error
	s.stand, err = stand.Open(ctx, stand.Options{
		Verb: s.opt.Verb, Dir: s.opt.Dir, Env: s.opt.Env, CacheDir: s.opt.CacheDir, Start: s.start, Sandbox: s.opt.Sandbox,
		Stage: func(name string) { s.stage(name, "") }, Warn: func(w model.Warning) { s.warn(w) },
	})
	if err != nil {
		return err
	}
	defer s.stand.Close()
	s.warn(s.stand.Warnings...)
	s.save = recorder{run: s.stand.Run}
	s.cmp.ID, s.cmp.Dir = s.stand.Run.ID, s.stand.Run.Dir
	if err := s.resolve(ctx); err != nil {
		return err
	}
	base, cand, err := s.versions(ctx)
	if err != nil {
		return err
	}
	s.reproducible(base, cand)
	if err := s.stand.Journal(ctx, s.cmp.Env.GoVersion, store.Event{Kind: store.Start, Verb: s.opt.Verb, Args: s.opt.Args, Head: s.stand.Place.Head}); err != nil {
		return err
	}
	s.local = trial.NewLocal(base.tree.Suite)
	defer s.local.Close()
	s.trial = trial.New(s.local, s.opt.Seed)
	matches, err := s.match(ctx, base, cand)
	if err == nil && len(matches)+len(s.cmp.Benchmarks) == 0 {
		err = stand.NoBenchmark(base.found, s.patterns(), s.opt.Bench)
	}
	if err == nil {
		err = s.judgeAll(ctx, matches)
	}
	if err == nil {
		err = s.graphs(ctx, matches)
	}
	if err == nil && s.opt.gate() {
		err = s.checkRecords(ctx, base.records)
	}
	err = s.ended(ctx, err) // it is saved
	return errors.Join(err, s.finish(ctx))
}

// finish writes the last state of the run, also of one that was interrupted.
func (s *session) finish(ctx context.Context) error {
	s.cmp.Split = s.stand.Meter.Split(s.opt.Now())
	s.cmp.Samples = s.save.files
	if s.opt.Baseline != nil {
		s.warn(s.opt.Baseline.Warnings(s.start, s.cmp)...)
	}
	return errors.Join(
		s.save.save(s.cmp),
		s.stand.Journal(context.WithoutCancel(ctx), s.cmp.Env.GoVersion, store.Event{Kind: store.Stop, Verb: s.opt.Verb, Text: s.cmp.Stopped}),
	)
}

// resolve turns the names of the sides into commits.
func (s *session) resolve(ctx context.Context) error {
	place := s.stand.Place
	if s.opt.gate() {
		return s.mergeBase(ctx)
	}
	for _, side := range []*model.Side{&s.cmp.Base, &s.cmp.Candidate} {
		if side.Kind != model.SideRef {
			continue
		}
		if !place.Git {
			return stand.Usage(fmt.Sprintf("%s is no file, and %s %s, so it cannot be a ref", side.Name, place.Module, place.NoGit))
		}
		var err error
		if side.Commit, err = tree.Resolve(ctx, place, side.Name); err != nil {
			return stand.Usage(fmt.Sprintf("%s is neither a file nor a git ref: %v", side.Name, err))
		}
	}
	return nil
}

// mergeBase finds what a gate compares with.
func (s *session) mergeBase(ctx context.Context) error {
	place := s.stand.Place
	if !place.Git || place.Head == "" {
		return stand.Usage("a gate compares with a commit, and " + place.Module + " " + cmp.Or(place.NoGit, "is in a git repository without one") + "; pawl compare takes test binaries too")
	}
	name := s.opt.Base
	if name == "" {
		var err error
		if name, err = tree.DefaultBase(ctx, place, s.getenv); err != nil {
			return stand.Usage(fmt.Sprintf("what does this branch merge into? %v", err))
		}
	}
	if _, err := tree.Resolve(ctx, place, name); err != nil {
		return stand.Usage(fmt.Sprintf("-base %s: %v", name, err))
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
// place: benchmarks of both run in its folders.
func (s *session) versions(ctx context.Context) (base, cand *version, err error) {
	tb, err := s.checkout(ctx, s.cmp.Base)
	if err != nil {
		return nil, nil, err
	}
	s.cmp.Env = tb.Env
	s.warn(tb.Warnings...)
	if base, err = s.build(ctx, model.Base, tb, nil); err != nil {
		return nil, nil, err
	}
	if err := base.broken(); err != nil {
		return nil, nil, err
	}
	if s.opt.gate() {
		// One of the base that cannot be read any more is the base's matter.
		base.records, _, _ = recordsOf(tb)
	}
	funcs, err := s.functions(ctx, base)
	if err != nil {
		return nil, nil, err
	}
	tc, err := s.checkout(ctx, s.cmp.Candidate)
	if err != nil {
		return nil, nil, err
	}
	if cand, err = s.build(ctx, model.Candidate, tc, base); err != nil {
		return nil, nil, err
	}
	if err := cand.broken(); err != nil {
		return nil, nil, err
	}
	if s.cover, err = s.coverage(ctx, cand, funcs); err != nil {
		return nil, nil, err
	}
	s.stage("going back to the base", "")
	if _, err := s.stand.Tree(ctx, s.cmp.Base.Commit); err != nil {
		return nil, nil, err
	}
	return base, cand, nil
}

// checkout makes the copy hold one side.
func (s *session) checkout(ctx context.Context, side model.Side) (*stand.Checkout, error) {
	commit := side.Commit
	if side.Kind == model.SidePatch {
		commit = s.cmp.Base.Commit
	}
	c, err := s.stand.Commit(ctx, commit)
	if err != nil || side.Kind != model.SidePatch {
		return c, err
	}
	patch, err := os.ReadFile(inDir(s.opt.Dir, side.Name))
	if err != nil {
		return nil, fmt.Errorf("reading the patch: %w", err)
	}
	if err := c.Snap.ApplyPatch(ctx, patch); err != nil {
		return nil, stand.Usage(fmt.Sprintf("%s does not apply to %s: %v", side.Name, s.cmp.Base.Name, err))
	}
	return c, nil
}

// broken is the error of a side of which nothing builds.
func (v *version) broken() error {
	var first *build
	for _, path := range v.found.Names() {
		b := v.builds[path]
		if b.failed == nil {
			return nil
		}
		if first == nil {
			first = b
		}
	}
	if first == nil {
		return nil // no packages: said elsewhere
	}
	return &stand.BrokenTree{Name: "the " + string(v.name), What: "does not build", Detail: first.failed.Error(), Next: v.tree.LeftHint("mend it, or name other packages")}
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
