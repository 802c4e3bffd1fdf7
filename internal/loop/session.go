package loop

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/guard"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
	"github.com/pawl-dev/pawl/internal/scrub"
	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/trial"
	"github.com/pawl-dev/pawl/internal/worth"
)

// Options are what the user may choose.
type Options struct {
	Verb       string
	Args       []string              // the command line, for the record
	Tool       string                // pawl's version
	Dir        string                // a folder of the module
	From       string                // the folder that the user is in, for paths that are shown
	Patterns   []string              // packages; none means "."
	Bench      string                // as go test -bench; "" means all
	Budget     time.Duration         // of the whole run
	PerChange  time.Duration         // of the duets of one change
	Alpha      float64               // error rate of a claim
	MinEffect  float64               // smallest gain worth having, as a fraction
	Timeout    time.Duration         // of one package's tests
	Short      bool                  // run tests with -short
	Retry      bool                  // try what the journal says was refuted
	Sandbox    *gocmd.SandboxConfig  // for tests and benchmarks; nil for none
	Production *worth.Production     // profiles of the program at work; nil where there are none
	MinWorth   float64               // the least part of all of production that a change must save
	Allow      []model.SuspicionKind // what changes may do though it looks like a cheat
	Seed       uint64
	Env        []string
	CacheDir   string // os.UserCacheDir
	Watch      stand.Watcher
	Resume     *store.Past // the run to go on with; nil for a new one: see Continue
	Base       *BaseCheck  // what a session on the same tree has found of its tests; nil to run them
}

// A Session is one run of the loop on one module.
type Session struct {
	Run *model.Run

	opt   Options
	start time.Time
	stand *stand.Stand
	tree  *stand.Checkout
	place *tree.Place
	snap  *tree.Snapshot
	go_   *gocmd.Go
	suite *bench.Suite
	local *trial.Local
	trial *trial.Trial
	guard *guard.Guard
	rec   *store.Run
	keep  *tree.Recorder

	pkgs map[string]gocmd.Package // benchmarked packages, by import path
	deps []string                 // main-module packages they are built from

	orig, now  *version
	tried      map[string]bool
	fresh      map[string]model.Change // what could be done to now, tried or not, by id
	hotLines   map[model.Pos]bool      // that the profiles of now saw
	raceBroken string                  // why the race detector cannot be used
	judged     []model.Plan            // the benchmarks that judge a patch
	scrub      *scrub.Scrubber
	advised    bool      // how to get a production profile was said
	covers     []covered // what each benchmark executes of what a patch changes

	quotes map[string][]report.Excerpt // source around what a change aims at, by its ID
	steps  []progress                  // the changes that have profiles, in order
	// refuting is how long the profiles of what was rolled back have taken.
	refuting time.Duration
}

// Open copies the user's tree and finds out what there is to measure.
func Open(ctx context.Context, opt Options) (*Session, error) {
	s := &Session{opt: opt, start: time.Now(), scrub: scrub.New(opt.Env), tried: make(map[string]bool)}
	s.Run = &model.Run{
		Schema: model.SchemaVersion, Tool: opt.Tool, Verb: opt.Verb, Args: opt.Args, Started: s.start,
	}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Session) open(ctx context.Context) error {
	var err error
	s.stand, err = stand.Open(ctx, stand.Options{
		Verb: s.opt.Verb, Dir: s.opt.Dir, Env: s.opt.Env, CacheDir: s.opt.CacheDir, Start: s.start, Sandbox: s.opt.Sandbox,
		Stage: func(name string) { s.stage(name, "") }, Resume: s.resumeID(), Warn: s.warn,
	})
	if err != nil {
		return err
	}
	s.place, s.rec = s.stand.Place, s.stand.Run
	s.Run.ID, s.Run.Dir, s.Run.Head, s.Run.Dirty = s.rec.ID, s.rec.Dir, s.place.Head, s.place.Dirty
	if err := s.sameHead(); err != nil {
		return err
	}
	if err := s.journal(ctx, s.beginning()); err != nil {
		return err
	}
	machine := bench.Environment(ctx, gocmd.Bare(s.opt.Env, s.stand.Meter))
	s.Run.Warnings = append(s.Run.Warnings, bench.SystemWarnings(machine)...) // before pawl itself loads the machine
	if s.tree, err = s.stand.Commit(ctx, ""); err != nil {
		return err
	}
	s.snap, s.go_, s.suite, s.Run.Env = s.tree.Snap, s.tree.Go, s.tree.Suite, s.tree.Env
	s.Run.Warnings = slices.Concat(s.Run.Warnings, s.stand.Warnings, s.tree.Warnings)
	if err := s.takeUp(ctx); err != nil {
		return err
	}
	s.guard = guard.New(s.go_, s.opt.Timeout)
	s.guard.Allow, s.guard.Short = s.opt.Allow, s.opt.Short
	if err := s.findPackages(ctx); err != nil {
		return err
	}
	s.local = trial.NewLocal(s.suite)
	s.trial = trial.New(s.local, s.opt.Seed)
	return s.rec.Save(*s.Run)
}

// journal appends an event of this run.
func (s *Session) journal(ctx context.Context, e store.Event) error {
	return s.stand.Journal(ctx, s.Run.Env.GoVersion, e)
}

// findPackages lists the packages that hold a benchmark whose name can match.
func (s *Session) findPackages(ctx context.Context) error {
	patterns := s.opt.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	found, err := s.tree.Benchmarked(ctx, patterns, s.opt.Bench)
	if err != nil {
		return err
	}
	if len(found.Packages) == 0 {
		return stand.NoBenchmark(found, patterns, s.opt.Bench)
	}
	s.Run.Module, s.pkgs = found.Module, found.Packages
	s.deps, err = s.tree.Deps(ctx, "the base", found.Names())
	return err
}

func (s *Session) pkgNames() []string {
	names := make([]string, 0, len(s.pkgs))
	for name := range s.pkgs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *Session) stage(name, detail string) {
	if s.opt.Watch != nil {
		s.opt.Watch.Stage(name, detail)
	}
}

func (s *Session) detail(text string) {
	if s.opt.Watch != nil {
		s.opt.Watch.Detail(text)
	}
}

func (s *Session) warn(w model.Warning) { s.Run.Warnings = append(s.Run.Warnings, w) }

// left returns how much of the budget is left.
func (s *Session) left() time.Duration { return s.opt.Budget - time.Since(s.start) }

// Close removes what the session keeps outside the module's state folder.
func (s *Session) Close() {
	if s.local != nil {
		s.local.Close()
	}
	if s.stand != nil {
		s.stand.Close()
	}
}
