package compare

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/accepted"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// Options are what the user may choose.
type Options struct {
	Verb         string   // "compare" or "gate"
	Args         []string // the command line, for the record
	Tool         string   // pawl's version
	Dir          string   // a directory of the module, or where binaries run
	Base         string   // empty in a gate: what the branch merges into
	Candidate    string
	Patterns     []string // packages; none means "./..."
	Bench        string   // as go test -bench; "" means all
	Screen       bool     // leave out benchmarks whose code is the same
	Budget       time.Duration
	PerBenchmark time.Duration
	Alpha        float64            // error rate of all claims together
	MinEffect    float64            // smallest slowdown that counts, as a fraction
	Metrics      verdict.Directions // of what benchmarks report; those of records come on top
	Timeout      time.Duration
	Out          string         // where the samples of binaries go, which have no run; may be empty
	Baseline     *accepted.File // accepted regressions; may be nil
	Seed         uint64
	Env          []string
	CacheDir     string
	Sandbox      *gocmd.SandboxConfig // for benchmarks; nil for none
	Watch        testbed.Watcher      // may be nil
	Now          func() time.Time
	// Graph is given the flame graphs of both sides of a benchmark, for a page. It
	// may be nil: then no profiles are taken.
	Graph func(model.Benchmark, []model.Flame)
}

// gate reports whether only slowdowns are asked for.
func (o Options) gate() bool { return o.Verb == "gate" }

// A match is one benchmark as both sides have it.
type match struct {
	bm         model.Benchmark
	base, cand *build
	source     *model.Source
	code       *model.CodeDiff
	unpinned   bool // each side runs its own version of the benchmark
	census     trial.Counted
}

// A session is one run of compare or gate: what was asked, and what is known. What
// it does is done by trees, listing, judging, rounds and graphs.
type session struct {
	clock
	opt  Options
	cmp  *model.Comparison
	save recorder
	// directions are those of the metrics that benchmarks report.
	directions verdict.Directions
}

func newSession(opt Options) *session {
	opt.Watch = testbed.Watched(opt.Watch)
	if len(opt.Patterns) == 0 {
		opt.Patterns = []string{"./..."}
	}
	c := &model.Comparison{
		Schema: model.SchemaVersion, Tool: opt.Tool, Verb: opt.Verb, Args: opt.Args, Started: opt.Now(),
		Alpha: opt.Alpha, MinEffect: opt.MinEffect,
	}
	return &session{clock: clock{start: c.Started, budget: opt.Budget, graphs: opt.Graph != nil}, opt: opt, cmp: c, directions: opt.Metrics}
}

// Run compares two sides and returns what it found, also together with an
// error or when ctx ends: what was judged by then stands.
func Run(ctx context.Context, opt Options) (*model.Comparison, error) {
	s := newSession(opt)
	base, cand, err := classify(opt)
	if err != nil {
		return nil, err
	}
	s.cmp.Base, s.cmp.Candidate = base, cand
	// Before anything is built or measured: both load the machine.
	machine := bench.Environment(ctx, gocmd.Bare(opt.Env, gocmd.NewMeter(s.start)))
	s.crowd = machine.Load / float64(max(1, machine.CPUs))
	ctx, cancel := context.WithDeadline(ctx, s.start.Add(opt.Budget-s.atEnd()))
	defer cancel()
	switch {
	case base.Kind == model.SideSamples:
		return s.samples(ctx)
	case base.Kind == model.SideBinary:
		s.warn(bench.SystemWarnings(machine)...)
		err = s.binaries(ctx)
	default:
		s.warn(bench.SystemWarnings(machine)...)
		err = (&trees{session: s}).sources(ctx)
	}
	return s.cmp, s.ended(ctx, err)
}

// What Comparison.Stopped says when a comparison ended early.
const (
	interrupted = "interrupted"
	outOfTime   = "budget"
)

// ended notes why a comparison ended early, and returns err. To be interrupted is
// none where there is something to show, and to be out of time never is one.
func (s *session) ended(ctx context.Context, err error) error {
	var usage *testbed.UsageError
	switch {
	case err == nil:
	case spent(ctx) && (errors.Is(err, ctx.Err()) || !errors.As(err, &usage) && !errors.Is(err, testbed.ErrNothing)):
		s.cmp.Stopped = outOfTime
		return nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		s.cmp.Stopped = interrupted
		if len(s.cmp.Benchmarks) > 0 {
			return nil
		}
	default:
		s.cmp.Stopped = "failed: " + err.Error()
	}
	return err
}

// inTime returns err, unless it is that the budget ends: then what is known stands.
func inTime(ctx context.Context, err error) error {
	if spent(ctx) {
		return nil
	}
	return err
}

// judged judges the matches, and takes the profiles of a page.
func (s *session) judged(ctx context.Context, j judging, matches []match) error {
	if err := inTime(ctx, newRounds(j, matches).judgeAll(ctx)); err != nil {
		return err
	}
	return graphs{s, matches}.graphs(ctx)
}

func (s *session) accept(c *model.Compared, bad []verdict.Regression) {
	if s.opt.Baseline == nil || c.Standing != model.Regressed {
		return
	}
	var reasons []string
	for _, r := range bad {
		reason, ok := s.opt.Baseline.Accept(s.start, c.Benchmark.Pkg, c.Benchmark.Name, r.Metric, r.Change)
		if !ok {
			return
		}
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) > 0 {
		c.Standing, c.Accepted = model.Accepted, reasons[0]
	}
}

func (s *session) stage(name, detail string) { s.opt.Watch.Stage(name, detail) }

func (s *session) detail(text string) { s.opt.Watch.Detail(text) }

func (s *session) warn(w ...model.Warning) { s.cmp.Warnings = append(s.cmp.Warnings, w...) }
