package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/reach"
	"github.com/pawl-dev/pawl/internal/tree"
)

// trees are two states of the module's tree, in the copy that is built and
// measured.
type trees struct {
	*session
	bed   *testbed.Testbed
	reach reach.Reader
}

func (t *trees) sources(ctx context.Context) error {
	var err error
	t.bed, err = testbed.Open(ctx, testbed.Options{
		Verb: t.opt.Verb, Dir: t.opt.Dir, Env: t.opt.Env, CacheDir: t.opt.CacheDir, Start: t.start, Sandbox: t.opt.Sandbox,
		Stage: func(name string) { t.stage(name, "") }, Warn: func(w model.Warning) { t.warn(w) },
	})
	if err != nil {
		return err
	}
	defer t.bed.Close()
	t.warn(t.bed.Warnings...)
	t.save = recorder{run: t.bed.Run}
	t.cmp.ID, t.cmp.Dir = t.bed.Run.ID, t.bed.Run.Dir
	if err := t.resolve(ctx); err != nil {
		return err
	}
	base, cand, err := t.versions(ctx)
	if err != nil && spent(ctx) && base != nil {
		t.unreached(base, t.lateBuild())
		return errors.Join(t.ended(ctx, err), t.finish(ctx))
	}
	if err != nil {
		return err
	}
	t.reproducible(base, cand)
	if err := t.bed.Journal(ctx, t.cmp.Env.GoVersion, store.Event{Kind: store.Start, Verb: t.opt.Verb, Args: t.opt.Args, Head: t.bed.Place.Head}); err != nil {
		return err
	}
	err = t.ended(ctx, t.compare(ctx, base, cand)) // it is saved
	return errors.Join(err, t.finish(ctx))
}

// compare says what the candidate did to the benchmarks of the base.
func (t *trees) compare(ctx context.Context, base, cand *version) error {
	j := newJudging(t.session, base.tree.Suite)
	defer j.local.Close()
	defer cand.closePools()
	matches, err := listing{t.session, j.trial}.match(ctx, base, cand)
	if err != nil && spent(ctx) {
		t.unreached(base, "not looked at: "+notListed)
	}
	if err != nil {
		return err
	}
	if len(matches)+len(t.cmp.Benchmarks) == 0 {
		return testbed.NoBenchmark(base.found, t.opt.Patterns, t.opt.Bench)
	}
	if err := t.judged(ctx, j, matches); err != nil {
		return err
	}
	if err := inTime(ctx, t.coverage(ctx, base, cand)); err != nil || !t.recorded {
		return err
	}
	return t.checkRecords(ctx, base.records, cand.records)
}

func (t *trees) finish(ctx context.Context) error {
	t.cmp.Split = t.bed.Meter.Split(t.opt.Now())
	t.cmp.Samples = t.save.files
	if t.opt.Baseline != nil {
		t.warn(t.opt.Baseline.Warnings(t.start, t.cmp)...)
	}
	return errors.Join(
		t.save.save(t.cmp),
		t.bed.Journal(context.WithoutCancel(ctx), t.cmp.Env.GoVersion, store.Event{Kind: store.Stop, Verb: t.opt.Verb, Text: t.cmp.Stopped}),
	)
}

func (t *trees) resolve(ctx context.Context) error {
	place := t.bed.Place
	if t.opt.gate() {
		return t.mergeBase(ctx)
	}
	for _, side := range []*model.Side{&t.cmp.Base, &t.cmp.Candidate} {
		if side.Kind != model.SideRef {
			continue
		}
		if !place.Git {
			return testbed.Usagef("%s is no file, and %s %s, so it cannot be a ref", side.Name, place.Module, place.NoGit)
		}
		var err error
		if side.Commit, err = tree.Resolve(ctx, place, side.Name); err != nil {
			return refused(ctx, "%s is neither a file nor a git ref: %v", side.Name, err)
		}
	}
	return nil
}

// refused is a usage error that git is the witness of, unless git was killed.
func refused(ctx context.Context, format string, args ...any) error {
	return cmp.Or(ctx.Err(), testbed.Usagef(format, args...))
}

// mergeBase finds what a gate compares with.
func (t *trees) mergeBase(ctx context.Context) error {
	place := t.bed.Place
	if !place.Git || place.Head == "" {
		return testbed.Usage("a gate compares with a commit, and " + place.Module + " " + cmp.Or(place.NoGit, "is in a git repository without one") + "; pawl compare takes test binaries too")
	}
	name := t.opt.Base
	if name == "" {
		var err error
		if name, err = tree.DefaultBase(ctx, place, func(key string) string { return gocmd.Getenv(t.opt.Env, key) }); err != nil {
			return refused(ctx, "what does this branch merge into? %v", err)
		}
	}
	if _, err := tree.Resolve(ctx, place, name); err != nil {
		return refused(ctx, "-base %s: %v", name, err)
	}
	commit, err := tree.MergeBase(ctx, place, name, place.Head)
	if err != nil {
		return fmt.Errorf("the merge base of %s and HEAD: %w", name, err)
	}
	t.cmp.Base.Name, t.cmp.Base.Commit = "merge base with "+name, commit
	if commit == place.Head && !place.Dirty {
		t.warn(model.Warning{
			Seen:  "the work tree is the same as the merge base with " + name,
			Cause: "the branch has no commits of its own",
			Try:   "-base HEAD~1, to compare with the commit before",
		})
	}
	return nil
}

// versions builds both sides, the base first, and leaves the base's tree in
// place: benchmarks of both run in its directories.
func (t *trees) versions(ctx context.Context) (base, cand *version, err error) {
	tb, err := t.checkout(ctx, t.cmp.Base)
	if err != nil {
		return nil, nil, err
	}
	t.cmp.Env = tb.Env
	t.warn(tb.Warnings...)
	if base, err = t.build(ctx, model.Base, tb, nil); err != nil {
		return base, nil, err
	}
	if err := base.broken(); err != nil {
		return nil, nil, err
	}
	// Those of the base that cannot be read any more are the base's matter.
	base.records, _, _ = recordsOf(tb)
	t.directed(base.records)
	if base.funcs, err = t.functions(ctx, base); err != nil {
		return base, nil, err
	}
	tc, err := t.checkout(ctx, t.cmp.Candidate)
	if err != nil {
		return base, nil, err
	}
	start := time.Now()
	if cand, err = t.build(ctx, model.Candidate, tc, base); err != nil {
		return base, cand, err
	}
	cand.took = time.Since(start)
	if err := cand.broken(); err != nil {
		return nil, nil, err
	}
	if cand.records, _, err = recordsOf(tc); err != nil && t.opt.gate() { // read again when they are checked
		return nil, nil, err
	}
	t.directed(cand.records)
	t.recorded = t.opt.gate() && len(base.records)+len(cand.records) > 0
	t.stage("going back to the base", "")
	if _, err := t.bed.Tree(ctx, t.cmp.Base.Commit); err != nil {
		return base, cand, err
	}
	return base, cand, nil
}

// unreached records as undecided the benchmark functions of the base with
// nothing recorded yet, because the budget ended.
func (t *trees) unreached(base *version, why string) {
	for _, path := range base.found.Names() {
		b := base.builds[path]
		if b == nil {
			continue
		}
		for _, f := range functions(b, t.opt.Bench) {
			known := func(c model.Compared) bool { return c.Benchmark.Pkg == path && function(c.Benchmark) == f }
			if !slices.ContainsFunc(t.cmp.Benchmarks, known) {
				t.cmp.Benchmarks = append(t.cmp.Benchmarks, model.Compared{Benchmark: model.Benchmark{Pkg: path, Name: f}, Standing: model.Open, Why: why})
			}
		}
	}
}

func (t *trees) checkout(ctx context.Context, side model.Side) (*testbed.Checkout, error) {
	c, err := t.bed.Commit(ctx, t.commit(side))
	if err != nil {
		return nil, err
	}
	return c, t.patch(ctx, c.Snap, side)
}

// commit is what a side is taken from: of a patch, the base's.
func (t *trees) commit(side model.Side) string {
	if side.Kind == model.SidePatch {
		return t.cmp.Base.Commit
	}
	return side.Commit
}

// patch applies the patch that a side is, if it is one.
func (t *trees) patch(ctx context.Context, snap *tree.Snapshot, side model.Side) error {
	if side.Kind != model.SidePatch {
		return nil
	}
	patch, err := foreign.Do(ctx, func() ([]byte, error) { return tree.OpenPatch(foreign.Path(t.opt.Dir, side.Name)) })
	if err != nil {
		return fmt.Errorf("reading the patch: %w", err)
	}
	if err := snap.ApplyPatch(ctx, patch); err != nil {
		return refused(ctx, "%s does not apply to %s: %v", side.Name, t.cmp.Base.Name, err)
	}
	return nil
}

// broken is the error of a side where nothing builds.
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
	return &testbed.BrokenTree{Name: "the " + string(v.name), What: "does not build", Detail: said(first.failed), Next: v.tree.LeftHint("fix it, or name other packages")}
}

// said is what the go command said of a package that does not build, without the
// command itself.
func said(err error) string {
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return ge.Output
	}
	return err.Error()
}

// reproducible notes how the sides were built, and warns where not only the
// sources differ.
func (t *trees) reproducible(base, cand *version) {
	for _, v := range []struct {
		side *model.Side
		env  model.Environment
	}{{&t.cmp.Base, base.tree.Env}, {&t.cmp.Candidate, cand.tree.Env}} {
		v.side.GoVersion, v.side.Settings = v.env.GoVersion, v.env.Settings
	}
	t.cmp.Module = base.found.Module
	if base.tree.Env.GoVersion != cand.tree.Env.GoVersion {
		t.warn(model.Warning{
			Seen:  fmt.Sprintf("the sides are built by %s and %s", base.tree.Env.GoVersion, cand.tree.Env.GoVersion),
			Cause: "their go.mod files select different toolchains",
			Try:   "read the verdicts as those of source and toolchain together",
		})
	}
	if !maps.Equal(base.tree.Env.Settings, cand.tree.Env.Settings) {
		t.warn(model.Warning{Seen: "the sides are built with different settings", Cause: "go.env or go.mod differ", Try: "compare like with like: set them in the environment"})
	}
}
