package optimize

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/explain/worth"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/page/code"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/words"
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
	Outsiders  Outsiders             // who are asked for changes beside pawl's own
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

// A Session is one run of the loop on one module. What a run does is of three kinds, which
// know the kit and nothing of one another.
type Session struct {
	kit
	searching
	given
	finishing
	past *resumption
}

// A kit is what there is in a run.
type kit struct {
	Run    *model.Run
	opt    Options
	log    *ledger
	budget *budget
	watch  *stopwatch
	bed    *testbed.Testbed
	m      *state.Module
	prover *attempt.Prover
	base   *baseline
	offers *offers
	queue  *queue
	stack  *stack
	page   *page
}

// of makes a session of a kit.
func of(k kit) *Session {
	s := &Session{kit: k}
	s.proposing.kit, s.given.kit, s.finishing.kit = &s.kit, &s.kit, &s.kit
	return s
}

// Open copies the user's tree and finds out what there is to measure.
func Open(ctx context.Context, opt Options) (*Session, error) {
	s := of(kit{opt: opt, budget: &budget{total: opt.Budget, start: time.Now()}, watch: newStopwatch(opt.Watch)})
	s.opt.Watch = s.watch
	s.Run = &model.Run{
		Schema: model.SchemaVersion, Tool: opt.Tool, Verb: opt.Verb, Args: opt.Args, Started: s.budget.start,
	}
	s.log = &ledger{run: s.Run, watch: s.watch}
	s.past = &resumption{Past: opt.Resume, log: s.log}
	within, cancel := s.budget.within(ctx)
	context.AfterFunc(within, cancel) // a sandbox that was opened stays
	if err := s.open(within); err != nil {
		s.Close()
		if late(within) {
			err = s.nothing()
		}
		return nil, err
	}
	return s, nil
}

// ErrLate is why there is nothing to show: the budget ended first.
var ErrLate = errors.New("undecided")

func (s *kit) nothing() error {
	what := "module"
	if s.opt.Verb == "try" {
		what = "change"
	}
	return fmt.Errorf("%w: the budget of %s was spent before the %s was looked at, %s; what is built is cached, so that the next run comes further",
		ErrLate, s.opt.Budget, what, s.spentOn())
}

// InTime does something as long as the budget lasts. That it ended first is no error: the run
// has stopped then, and says at what.
func (s *kit) InTime(ctx context.Context, do func(context.Context) error) error {
	within, cancel := s.budget.within(ctx)
	context.AfterFunc(within, cancel) // what was read is used when the run ends in order, too
	err := do(within)
	var broken *testbed.BrokenTree
	if err == nil || !late(within) || errors.As(err, &broken) {
		return err
	}
	s.late()
	return nil
}

// late notes that the budget has ended, and what is not known for that.
func (s *kit) late() {
	if s.Run.Stopped == "" {
		s.Run.Stopped = fmt.Sprintf("budget of %s used up %s", words.Duration(s.opt.Budget), s.spentOn())
	}
	if len(s.Run.Targets)+len(s.Run.Unexplained) > 0 {
		return
	}
	seen := "no benchmark was measured"
	if n := len(s.Run.Plans); n > 0 {
		seen = "nothing is known of what costs: " + words.Plural(n, "benchmark") + " measured, and none explained"
	}
	s.log.warn(model.Warning{
		Seen:  seen,
		Cause: fmt.Sprintf("the budget of %s ended %s", words.Duration(s.opt.Budget), s.spentOn()),
		Try:   "once more, as what was built is cached; a larger -budget; fewer packages, or benchmarks with -bench",
	})
}

// spentOn says what was under way, and how much time it had taken.
func (s *kit) spentOn() string {
	stage, seconds := s.watch.last()
	return fmt.Sprintf("after %s of %s", words.Seconds(seconds), stage)
}

func (s *Session) open(ctx context.Context) error {
	var err error
	s.bed, err = testbed.Open(ctx, testbed.Options{
		Verb: s.opt.Verb, Dir: s.opt.Dir, Env: s.opt.Env, CacheDir: s.opt.CacheDir, Start: s.budget.start, Sandbox: s.opt.Sandbox,
		Stage: func(name string) { s.stage(name, "") }, Resume: s.past.id(), Warn: s.log.warn,
	})
	if err != nil {
		return err
	}
	s.log.bed = s.bed
	place := s.bed.Place
	s.Run.ID, s.Run.Dir, s.Run.Head, s.Run.Dirty = s.bed.Run.ID, s.bed.Run.Dir, place.Head, place.Dirty
	if err := s.past.sameHead(); err != nil {
		return err
	}
	if err := s.log.journal(ctx, s.past.beginning(s.opt)); err != nil {
		return err
	}
	machine := bench.Environment(ctx, gocmd.Bare(s.opt.Env, s.bed.Meter))
	s.Run.Warnings = append(s.Run.Warnings, bench.SystemWarnings(machine)...) // before pawl itself loads the machine
	s.budget.crowd = machine.Load / float64(max(1, machine.CPUs))
	checkout, err := s.bed.Commit(ctx, "")
	if err != nil {
		return err
	}
	s.Run.Env = checkout.Env
	s.Run.Warnings = slices.Concat(s.Run.Warnings, s.bed.Warnings, checkout.Warnings)
	s.wire(checkout)
	if err := s.past.takeUp(ctx, s.m); err != nil {
		return err
	}
	if err := s.findPackages(ctx); err != nil {
		return err
	}
	s.prover.Local = trial.NewLocal(s.m.Suite)
	s.prover.Trial = trial.New(s.prover.Local, s.opt.Seed)
	return s.log.save()
}

// wire makes what the stages of the run work with.
func (s *Session) wire(checkout *testbed.Checkout) {
	opt := s.opt
	g := guard.New(checkout.Go, opt.Timeout)
	g.Allow, g.Short = opt.Allow, opt.Short
	s.m = &state.Module{
		Checkout: checkout, Guard: g, Run: s.bed.Run, Scratch: s.bed.Scratch, CacheDir: opt.CacheDir, UserEnv: opt.Env,
		Watch: s.watch, Warn: s.log.warn, Walled: opt.Sandbox != nil,
	}
	s.page = &page{run: s.Run, m: s.m, scrub: scrub.New(opt.Env), budget: opt.Budget, quotes: make(map[string][]code.Excerpt)}
	s.offers = &offers{run: s.Run, store: s.bed.Store, retry: opt.Retry, tried: make(map[string]model.Attempt), again: make(map[string]bool), turns: make(map[turn]bool), grouped: make(map[string]bool), least: max(opt.MinEffect, verdict.LayoutFloor)}
	s.outside = newOutsiders(opt.Outsiders, s.Run, s.log)
	s.prover = &attempt.Prover{
		M: s.m, Alpha: opt.Alpha, MinEffect: opt.MinEffect, PerChange: opt.PerChange, Left: s.budget.forTrying, ToProve: s.budget.forProving, Allow: opt.Allow, Seed: opt.Seed,
		Production: opt.Production, MinWorth: opt.MinWorth, NotKept: s.page.notKept,
		Waiting: s.waiting, Pattern: cmp.Or(opt.Bench, "."), Quick: func(pkg string) string { return s.queue.pattern(pkg) },
	}
	s.base = newBaseline(s.m, opt.Base)
	// A proposal of somebody else is held against all benchmarks that run it.
	s.queue = &queue{lasts: opt.Verb == "optimize" && len(opt.Outsiders.Commands) == 0}
	s.stack = &stack{
		m: s.m, log: s.log, budget: s.budget, offers: s.offers, page: s.page,
		kept: &kept{run: s.Run, place: s.bed.Place, m: s.m, scrub: s.page.scrub},
	}
	s.final = &final{run: s.Run, m: s.m, prover: s.prover, stack: s.stack, budget: s.budget, pools: make(map[string]*trial.LinkPool)}
	if opt.Verb == "optimize" {
		s.budget.compare, s.budget.kept = s.final.needs, s.Run.Kept
	}
}

// survey looks at the benchmarks of the base.
func (s *kit) survey() *survey {
	return &survey{
		run: s.Run, opt: s.opt, m: s.m, base: s.stack.orig, now: s.stack.now, prover: s.prover, queue: s.queue, measured: s.stack.measured,
		left: s.budget.left,
	}
}

// surveyed says how the benchmarks are sampled from now on.
func (s *kit) surveyed() {
	s.prover.Plans, s.m.CPUGoal = s.Run.Plans, state.CPUGoal(s.opt.Budget, len(s.Run.Plans)+len(s.queue.waiting))
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

func (s *kit) stage(name, detail string) { s.opt.Watch.Stage(name, detail) }

// Close removes what the session keeps outside the module's state directory.
func (s *Session) Close() {
	if s.prover != nil && s.prover.Local != nil {
		s.prover.Local.Close()
	}
	if s.stack != nil {
		s.stack.now.StopReading()
		s.m.StopOrder()
	}
	if s.bed != nil {
		s.bed.Empty = len(s.Run.Plans)+len(s.Run.Attempts) == 0 && s.Run.Report == "" // which was shown
		s.bed.Close()
	}
}
