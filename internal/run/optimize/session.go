package optimize

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/explain/worth"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/page/code"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// Options are what the user may choose.
type Options struct {
	Verb       string
	Args       []string              // the command line, for the record
	Tool       string                // pawl's version
	Dir        string                // a directory of the module
	From       string                // the directory that the user is in, for paths that are shown
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
	Watch      testbed.Watcher
	Resume     *store.Past // the run to go on with; nil for a new one: see Continue
	Base       *BaseCheck  // what a session on the same tree has found of its tests; nil to run them
}

// A Session is one run of the loop on one module.
type Session struct {
	Run *model.Run
	// Resume says how to go on with a run that has come to its end, in a command;
	// nil for a run that nobody goes on with.
	Resume func(*model.Run) string

	opt    Options
	start  time.Time
	watch  *stopwatch
	bed    *testbed.Testbed
	m      *state.Module
	prover *attempt.Prover
	offers *offers
	page   *page
	kept   *kept

	orig, now *state.State
	unproven  *unproven     // what now is the state of, until it is proven
	tested    bool          // the base's tests pass
	checked   bool          // CheckBase has succeeded
	tries     int           // changes that were tried
	trying    time.Duration // how long that took

	mu sync.Mutex // held while the warnings of the run change, or are read beside a proof
}

// Open copies the user's tree and finds out what there is to measure.
func Open(ctx context.Context, opt Options) (*Session, error) {
	s := &Session{opt: opt, start: time.Now(), watch: newStopwatch(opt.Watch)}
	s.opt.Watch = s.watch
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
	s.bed, err = testbed.Open(ctx, testbed.Options{
		Verb: s.opt.Verb, Dir: s.opt.Dir, Env: s.opt.Env, CacheDir: s.opt.CacheDir, Start: s.start, Sandbox: s.opt.Sandbox,
		Stage: func(name string) { s.stage(name, "") }, Resume: s.resumeID(), Warn: s.warn,
	})
	if err != nil {
		return err
	}
	place := s.bed.Place
	s.Run.ID, s.Run.Dir, s.Run.Head, s.Run.Dirty = s.bed.Run.ID, s.bed.Run.Dir, place.Head, place.Dirty
	if err := s.sameHead(); err != nil {
		return err
	}
	if err := s.journal(ctx, s.beginning()); err != nil {
		return err
	}
	machine := bench.Environment(ctx, gocmd.Bare(s.opt.Env, s.bed.Meter))
	s.Run.Warnings = append(s.Run.Warnings, bench.SystemWarnings(machine)...) // before pawl itself loads the machine
	checkout, err := s.bed.Commit(ctx, "")
	if err != nil {
		return err
	}
	s.Run.Env = checkout.Env
	s.Run.Warnings = slices.Concat(s.Run.Warnings, s.bed.Warnings, checkout.Warnings)
	s.wire(checkout)
	if err := s.takeUp(ctx); err != nil {
		return err
	}
	if err := s.findPackages(ctx); err != nil {
		return err
	}
	s.prover.Local = trial.NewLocal(s.m.Suite)
	s.prover.Trial = trial.New(s.prover.Local, s.opt.Seed)
	return s.save()
}

// wire makes what the stages of the run work with.
func (s *Session) wire(checkout *testbed.Checkout) {
	opt := s.opt
	g := guard.New(checkout.Go, opt.Timeout)
	g.Allow, g.Short = opt.Allow, opt.Short
	s.m = &state.Module{
		Checkout: checkout, Guard: g, Run: s.bed.Run, Scratch: s.bed.Scratch, CacheDir: opt.CacheDir, UserEnv: opt.Env,
		Watch: s.watch, Warn: s.warn, Walled: opt.Sandbox != nil,
	}
	s.page = &page{run: s.Run, m: s.m, scrub: scrub.New(opt.Env), budget: opt.Budget, quotes: make(map[string][]code.Excerpt)}
	s.kept = &kept{run: s.Run, place: s.bed.Place, m: s.m, scrub: s.page.scrub}
	s.offers = &offers{run: s.Run, store: s.bed.Store, retry: opt.Retry, tried: make(map[string]bool)}
	s.prover = &attempt.Prover{
		M: s.m, Alpha: opt.Alpha, MinEffect: opt.MinEffect, PerChange: opt.PerChange, Left: s.forTrying, Allow: opt.Allow, Seed: opt.Seed,
		Production: opt.Production, MinWorth: opt.MinWorth, NotKept: s.page.notKept,
	}
}

// journal appends an event of this run.
func (s *Session) journal(ctx context.Context, e store.Event) error {
	return s.bed.Journal(ctx, s.Run.Env.GoVersion, e)
}

// save writes the run as it is now.
func (s *Session) save() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bed.Run.Save(*s.Run)
}

// findPackages lists the packages that hold a benchmark whose name can match.
func (s *Session) findPackages(ctx context.Context) error {
	patterns := s.opt.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	found, err := s.m.Benchmarked(ctx, patterns, s.opt.Bench)
	if err != nil {
		return err
	}
	if len(found.Packages) == 0 {
		return testbed.NoBenchmark(found, patterns, s.opt.Bench)
	}
	s.Run.Module, s.m.Path, s.m.Pkgs = found.Module, found.Module, found.Packages
	s.m.Deps, err = s.m.Checkout.Deps(ctx, "the base", found.Names())
	return err
}

func (s *Session) stage(name, detail string) { s.opt.Watch.Stage(name, detail) }

// warn may be called by a proof, too.
func (s *Session) warn(w model.Warning) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Run.Warnings = append(s.Run.Warnings, w)
}

// Close removes what the session keeps outside the module's state directory.
func (s *Session) Close() {
	if s.prover != nil && s.prover.Local != nil {
		s.prover.Local.Close()
	}
	if s.bed != nil {
		s.bed.Empty = len(s.Run.Plans)+len(s.Run.Attempts) == 0
		s.bed.Close()
	}
}
