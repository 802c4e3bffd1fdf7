package stand

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/tree"
)

// Options say for what a stand is set up.
type Options struct {
	Verb     string
	Dir      string // a folder of the module
	Env      []string
	CacheDir string // os.UserCacheDir
	Start    time.Time
	Stage    func(name string)    // is told what is being done; may be nil
	Sandbox  *gocmd.SandboxConfig // for tests and benchmarks; nil for none
	Resume   string               // ID of the run to go on with; empty for a new one
	Warn     func(model.Warning)  // is told what comes up after a checkout; may be nil
}

// A Watcher is told what is going on while it goes on.
type Watcher interface {
	Stage(name, detail string)
	Detail(text string)
	Line(text string) // a line that stays
}

// ErrNothing is wrapped by errors that say that there is nothing to work on:
// no module, no package, no benchmark.
var ErrNothing = errors.New("nothing to work on")

// A UsageError is a mistake in how pawl was called.
type UsageError struct{ msg string }

func (u *UsageError) Error() string { return u.msg }

// Usage returns a UsageError that says msg.
func Usage(msg string) error { return &UsageError{msg} }

// A BrokenTree is a tree that does not build or whose tests fail before pawl
// has changed anything.
type BrokenTree struct {
	Name   string // "the base"
	What   string // "does not build", "tests fail"
	Detail string
	Next   string
}

func (b *BrokenTree) Error() string {
	return fmt.Sprintf("%s %s:\n%s\n%s", b.Name, b.What, b.Detail, b.Next)
}

// A Stand is where one run builds and measures one module.
type Stand struct {
	Place    *tree.Place
	Store    *store.Store
	Run      *store.Run
	Meter    *gocmd.Meter
	Scratch  string // binaries and notes; outside the tree, removed by Close
	Warnings []model.Warning

	opt     Options
	work    string
	gowork  string
	release func()
	taken   int            // checkouts so far
	sandbox *gocmd.Sandbox // nil for none

	mu   sync.Mutex
	snap *tree.Snapshot // what the copy holds; nil while it is made
}

// A Checkout is one state of the tree, ready to be built.
type Checkout struct {
	Snap     *tree.Snapshot
	Go       *gocmd.Go
	Suite    *bench.Suite
	Env      model.Environment
	Warnings []model.Warning
}

// Open finds the module and makes the folder of the run. Nothing is copied
// before the first checkout. The Stand is the caller's to close.
func Open(ctx context.Context, opt Options) (*Stand, error) {
	s := &Stand{opt: opt, Meter: gocmd.NewMeter(opt.Start)}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Stand) open(ctx context.Context) error {
	var err error
	if s.Place, err = tree.Locate(ctx, s.opt.Dir); err != nil {
		return fmt.Errorf("%w: %w", ErrNothing, err)
	}
	if err := s.openStore(); err != nil {
		return err
	}
	if s.work, s.release, err = tree.WorkDir(s.Place, s.opt.CacheDir); err != nil {
		return err
	}
	s.notAlone()
	endStrays(s.work) // of a pawl that was killed: they would write below our feet
	gocmd.SweepScratch("")
	s.opt.Env = append(slices.Clone(s.opt.Env), mark(s.work))
	s.Scratch = filepath.Join(s.work, "scratch")
	if err := os.RemoveAll(s.Scratch); err != nil {
		return fmt.Errorf("clearing the scratch folder: %w", err)
	}
	if err := os.MkdirAll(s.Scratch, 0o700); err != nil {
		return fmt.Errorf("making the scratch folder: %w", err)
	}
	if err := s.confine(ctx); err != nil {
		return err
	}
	s.gowork, err = gocmd.Query(ctx, s.Place.Module, s.opt.Env, "GOWORK")
	return err
}

// confine opens the sandbox that tests and benchmarks run in. They write to the
// copy, beside their binaries, and to the run's folder of profiles.
func (s *Stand) confine(ctx context.Context) error {
	if s.opt.Sandbox == nil {
		return nil
	}
	profile, err := s.Run.Profile("sandbox")
	if err != nil {
		return err
	}
	c := *s.opt.Sandbox
	c.Env, c.Writable = s.opt.Env, append(slices.Clone(c.Writable), s.work, filepath.Dir(profile))
	if s.sandbox, err = gocmd.OpenSandbox(ctx, c); err != nil {
		return err
	}
	s.Meter.Confine(s.sandbox)
	s.Warnings = append(s.Warnings, s.sandbox.Warnings()...)
	return nil
}

// notAlone warns of other pawls that are at work on the module. Each has a copy
// of its own, and they share the journal, so that they only disturb each
// other's clocks.
func (s *Stand) notAlone() {
	for _, h := range tree.AtWork(s.Place, s.opt.CacheDir) {
		s.Warnings = append(s.Warnings, model.Warning{
			Seen:  fmt.Sprintf("another pawl is at work on this module: process %d, since %s", h.PID, h.Since.Local().Format(time.DateTime)),
			Cause: "it was started meanwhile, or in another terminal; this one works on a copy of its own",
			Try:   "expect verdicts to take longer, or run one after the other",
		})
	}
}

// openStore opens the journal and makes the folder of this run.
func (s *Stand) openStore() error {
	dir, why, err := tree.StateDir(s.Place, s.opt.CacheDir)
	if err != nil {
		return err
	}
	if why != "" {
		s.Warnings = append(s.Warnings, model.Warning{Seen: "results are kept in " + dir, Cause: why})
	}
	if s.Store, err = store.Open(dir); err != nil {
		return err
	}
	if s.opt.Resume != "" {
		s.Run, err = s.Store.OpenRun(s.opt.Resume)
		return err
	}
	s.Run, err = s.Store.NewRun(s.opt.Verb, s.opt.Start)
	return err
}

// checkout finds the go command of a copy and prepares the suite. The commits
// of a module may select different toolchains, so each checkout asks anew.
func (s *Stand) checkout(ctx context.Context, snap *tree.Snapshot) (*Checkout, error) {
	c := &Checkout{Snap: snap}
	c.Warnings = append(c.Warnings, snap.Warnings...)
	s.taken++
	dir := filepath.Join(s.Scratch, fmt.Sprintf("tree%d", s.taken))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the scratch folder: %w", err)
	}
	s.stage("asking the go command")
	var err error
	c.Go, err = gocmd.New(ctx, gocmd.Config{
		Dir: snap.ModuleDir, Env: s.opt.Env, GOWORK: snap.GOWORK, State: dir, Meter: s.Meter,
		Restore: func(ctx context.Context) error { return s.restore(ctx, c.Go) },
	})
	if err != nil {
		return nil, err
	}
	c.Env = bench.Environment(ctx, c.Go)
	s.stage("preparing the clock")
	if c.Suite, err = bench.Prepare(ctx, c.Go, filepath.Join(dir, "overlay")); err != nil {
		return nil, err
	}
	c.Warnings = append(c.Warnings, c.Suite.Warnings()...)
	return c, nil
}

// Journal appends an event of this run. The version is that of the toolchain,
// as far as it is known by now.
func (s *Stand) Journal(ctx context.Context, goVersion string, e store.Event) error {
	e.Run, e.GoVersion = s.Run.ID, goVersion
	return s.Store.Append(ctx, e)
}

func (s *Stand) stage(name string) {
	if s.opt.Stage != nil {
		s.opt.Stage(name)
	}
}

// Close removes what the run keeps outside the module's state folder. The copy
// of the tree stays, so that the next run builds from a warm cache.
func (s *Stand) Close() {
	if s.sandbox != nil {
		_ = s.sandbox.Close()
		s.sandbox = nil
	}
	if s.Scratch != "" {
		endStrays(s.work) // what outlived the process that it belonged to
		_ = os.RemoveAll(s.Scratch)
	}
	if s.release != nil {
		s.release()
		s.release = nil
	}
	_ = s.Run.Close() // what it wrote has been synced
}

// OpenStore returns the journal and the runs of the module that dir is in.
func OpenStore(ctx context.Context, dir, cacheDir string) (*store.Store, error) {
	place, err := tree.Locate(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNothing, err)
	}
	state, _, err := tree.StateDir(place, cacheDir)
	if err != nil {
		return nil, err
	}
	return store.Open(state)
}

// Commit makes the copy hold the files of a commit; of the work tree when
// commit is empty.
func (s *Stand) Commit(ctx context.Context, commit string) (*Checkout, error) {
	snap, err := s.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	return s.checkout(ctx, snap)
}

// Tree is Commit without a go command: it changes what the copy holds.
func (s *Stand) Tree(ctx context.Context, commit string) (*tree.Snapshot, error) {
	s.stage("copying the tree")
	opts := tree.Options{GOWORK: s.gowork}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.snap = nil
	var snap *tree.Snapshot
	var err error
	if commit == "" {
		snap, err = tree.Take(ctx, s.Place, s.work, opts)
	} else {
		snap, err = tree.TakeRef(ctx, s.Place, s.work, commit, opts)
	}
	if err == nil {
		s.snap = snap
	}
	return snap, err
}

// restore puts back what tests and benchmarks changed in the copy, whichever
// checkout it holds by now. With -mod=mod, the go command g, which may be nil,
// edits go.mod and go.sum itself.
func (s *Stand) restore(ctx context.Context, g *gocmd.Go) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.snap == nil {
		return nil
	}
	var loose []string
	if g != nil && g.Flag("mod") == "mod" {
		loose = []string{"go.mod", "go.sum"}
	}
	warnings, err := s.snap.Restore(ctx, loose...)
	for _, w := range warnings {
		if s.opt.Warn != nil {
			s.opt.Warn(w)
		}
	}
	return err
}
