package testbed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

// Options say for what a stand is set up.
type Options struct {
	Verb     string
	Dir      string // a directory of the module
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

// Watched returns w, or where that is nil a watcher for runs that nobody watches.
func Watched(w Watcher) Watcher {
	if w == nil {
		return unwatched{}
	}
	return w
}

type unwatched struct{}

func (unwatched) Stage(_, _ string) {}
func (unwatched) Detail(string)     {}
func (unwatched) Line(string)       {}

// ErrNothing is wrapped by errors that say that there is nothing to work on:
// no module, no package, no benchmark.
var ErrNothing = errors.New("nothing to work on")

// A UsageError is a mistake in how pawl was called.
type UsageError struct{ msg string }

func (u *UsageError) Error() string { return u.msg }

// Usage returns a UsageError that says msg.
//
//go:noinline
func Usage(msg string) error { return &UsageError{msg} }

// Usagef is Usage with a format.
func Usagef(format string, args ...any) error { return Usage(fmt.Sprintf(format, args...)) }

// A BrokenTree is a tree that does not build or whose tests fail before pawl
// has changed anything.
type BrokenTree struct {
	Name   string // "the base"
	What   string // "does not build", "tests fail"
	Detail string
	Next   string
}

func (b *BrokenTree) Error() string {
	next := b.Next
	if strings.Contains(b.Detail, syscall.ENOSPC.Error()) { // the go command's words
		next = "the disk is full, which is not the tree's fault: make room, and try again"
	}
	return fmt.Sprintf("%s %s:\n%s\n%s", b.Name, b.What, strings.TrimSpace(b.Detail), next)
}

// A Testbed is where one run builds and measures one module.
type Testbed struct {
	Place    *tree.Place
	Store    *store.Store
	Run      *store.Run
	Meter    *gocmd.Meter
	Scratch  string // binaries and notes; outside the tree, removed by Close
	Warnings []model.Warning
	Empty    bool // the run has come to nothing that is worth keeping: Close removes it

	opt     Options
	work    string
	gowork  string
	release func()
	taken   int            // checkouts so far
	output  string         // where tests and benchmarks leave files for pawl
	sandbox *gocmd.Sandbox // for tests and benchmarks; nil for none
	builds  *gocmd.Sandbox // for the go command; nil for none

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

// Open finds the module and makes the directory of the run. Nothing is copied
// before the first checkout. The Testbed is the caller's to close.
func Open(ctx context.Context, opt Options) (*Testbed, error) {
	s := &Testbed{opt: opt, Meter: gocmd.NewMeter(opt.Start)}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Testbed) open(ctx context.Context) error {
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
	s.Scratch, s.output = filepath.Join(s.work, "scratch"), filepath.Join(s.work, "out")
	if err := errors.Join(emptied(s.Scratch), emptied(s.output)); err != nil {
		return err
	}
	vars, err := gocmd.Settings(ctx, s.Place.Module, s.opt.Env)
	if err != nil {
		return err
	}
	s.gowork = vars["GOWORK"]
	return s.confine(ctx, vars)
}

// notAlone warns of other pawls that are at work on the module. Each has a copy
// of its own, and they share the journal, so that they only disturb each
// other's clocks.
func (s *Testbed) notAlone() {
	for _, h := range tree.AtWork(s.Place, s.opt.CacheDir) {
		s.Warnings = append(s.Warnings, model.Warning{
			Seen:  fmt.Sprintf("another pawl is at work on this module: process %d, since %s", h.PID, h.Since.Local().Format(time.DateTime)),
			Cause: "it was started meanwhile, or in another terminal; this one works on a copy of its own",
			Try:   "expect verdicts to take longer, or run one after the other",
		})
	}
}

// openStore opens the journal and makes the directory of this run.
func (s *Testbed) openStore() error {
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
func (s *Testbed) checkout(ctx context.Context, snap *tree.Snapshot) (*Checkout, error) {
	c := &Checkout{Snap: snap}
	c.Warnings = append(c.Warnings, snap.Warnings...)
	s.taken++
	dir := filepath.Join(s.Scratch, fmt.Sprintf("tree%d", s.taken))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the scratch directory: %w", err)
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
	c.Warnings = append(c.Warnings, gorelease.Warn(c.Go.Version)...)
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
func (s *Testbed) Journal(ctx context.Context, goVersion string, e store.Event) error {
	e.Run, e.GoVersion = s.Run.ID, goVersion
	return s.Store.Append(ctx, e)
}

func (s *Testbed) stage(name string) {
	if s.opt.Stage != nil {
		s.opt.Stage(name)
	}
}

// Close removes what the run keeps outside the module's state directory, and the
// directory of a run that saved nothing. The copy of the tree stays, so that the next
// run builds from a warm cache.
func (s *Testbed) Close() {
	s.unconfine()
	if s.Scratch != "" {
		endStrays(s.work) // what outlived the process that it belonged to
		_, _ = gocmd.RemoveAll(s.Scratch), gocmd.RemoveAll(s.output)
	}
	if s.release != nil {
		s.release()
		s.release = nil
	}
	_ = s.Run.Close() // what it wrote has been synced
	if s.Run != nil && s.opt.Resume == "" && (s.Empty || !s.Run.Saved()) {
		_ = s.Run.Drop() // a mistyped command leaves nothing
	}
}

// OpenStore returns the journal and the runs of the module that dir is in.
func OpenStore(ctx context.Context, dir, cacheDir string) (*store.Store, error) {
	place, err := tree.Locate(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNothing, err)
	}
	state, ok := tree.FindState(place, cacheDir)
	if ok { // else there is nothing to read, and nothing is made
		if state, _, err = tree.StateDir(place, cacheDir); err != nil {
			return nil, err
		}
	}
	return store.Open(state)
}

// Commit makes the copy hold the files of a commit; of the work tree when
// commit is empty.
func (s *Testbed) Commit(ctx context.Context, commit string) (*Checkout, error) {
	snap, err := s.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	return s.checkout(ctx, snap)
}

// Tree is Commit without a go command: it changes what the copy holds.
func (s *Testbed) Tree(ctx context.Context, commit string) (*tree.Snapshot, error) {
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
		s.show(snap)
	}
	return snap, err
}

// restore puts back what tests and benchmarks changed in the copy, whichever
// checkout it holds by now. With -mod=mod, the go command g, which may be nil,
// edits go.mod and go.sum itself.
func (s *Testbed) restore(ctx context.Context, g *gocmd.Go) error {
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
