package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/baseline"
	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/reach"
	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/trial"
)

// Options are what the user may choose.
type Options struct {
	Verb         string   // "compare" or "gate"
	Args         []string // the command line, for the record
	Tool         string   // pawl's version
	Dir          string   // a folder of the module, or where binaries run
	Base         string   // empty in a gate: what the branch merges into
	Candidate    string
	Patterns     []string // packages; none means "./..."
	Bench        string   // as go test -bench; "" means all
	Screen       bool     // leave out benchmarks whose code is the same
	Budget       time.Duration
	PerBenchmark time.Duration
	Alpha        float64 // error rate of all claims together
	MinEffect    float64 // smallest slowdown that counts, as a fraction
	Timeout      time.Duration
	Out          string         // where the samples of binaries go, which have no run; may be empty
	Baseline     *baseline.File // accepted regressions; may be nil
	Seed         uint64
	Env          []string
	CacheDir     string
	Sandbox      *gocmd.SandboxConfig // for benchmarks; nil for none
	Watch        stand.Watcher        // may be nil
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
}

// A session is one run of compare or gate.
type session struct {
	opt   Options
	cmp   *model.Comparison
	start time.Time
	trial *trial.Trial
	local *trial.Local
	stand *stand.Stand // nil for binaries
	save  recorder
	cover *coverage // nil where it was not asked
	reach reach.Reader
}

// Run compares two sides and returns what it found, also together with an
// error or when ctx ends: what was judged by then stands.
func Run(ctx context.Context, opt Options) (*model.Comparison, error) {
	s := &session{opt: opt, start: opt.Now()}
	s.cmp = &model.Comparison{
		Schema: model.SchemaVersion, Tool: opt.Tool, Verb: opt.Verb, Args: opt.Args, Started: s.start,
		Alpha: opt.Alpha, MinEffect: opt.MinEffect,
	}
	base, cand, err := classify(opt)
	if err != nil {
		return nil, err
	}
	s.cmp.Base, s.cmp.Candidate = base, cand
	// Before anything is built or measured: both load the machine.
	machine := bench.Environment(ctx, gocmd.Bare(opt.Env, gocmd.NewMeter(s.start)))
	switch {
	case base.Kind == model.SideSamples:
		return s.samples(ctx)
	case base.Kind == model.SideBinary:
		s.warn(bench.SystemWarnings(machine)...)
		err = s.binaries(ctx)
	default:
		s.warn(bench.SystemWarnings(machine)...)
		err = s.sources(ctx)
	}
	return s.cmp, s.ended(ctx, err)
}

// interrupted is what Comparison.Stopped says when ctx ended.
const interrupted = "interrupted"

// ended notes why a comparison ended early, and returns err; to be interrupted is
// none where there is something to show.
func (s *session) ended(ctx context.Context, err error) error {
	switch {
	case err == nil:
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

// judgeAll judges the matches in order, within the budget. What is not reached
// is undecided, by name.
func (s *session) judgeAll(ctx context.Context, matches []match) error {
	alpha := s.opt.Alpha / float64(max(1, len(matches)))
	for i, m := range matches {
		left := s.opt.Budget - s.reserve() - time.Since(s.start)
		if left <= 0 || ctx.Err() != nil {
			s.stopped(ctx, matches[i:])
			return ctx.Err()
		}
		share := min(s.opt.PerBenchmark, max(left/time.Duration(len(matches)-i), minShare))
		s.stage(fmt.Sprintf("benchmark %d of %d", i+1, len(matches)), m.bm.String())
		c, bad, err := s.judge(ctx, m, alpha, share)
		if err != nil && ctx.Err() == nil {
			return err
		}
		s.accept(&c, bad)
		s.cmp.Benchmarks = append(s.cmp.Benchmarks, c)
		s.line(c)
		if serr := s.save.save(s.cmp); serr != nil {
			return serr
		}
		if err != nil {
			s.stopped(ctx, matches[i+1:])
			return err
		}
	}
	return nil
}

// left returns how much of the budget is left.
func (s *session) left() time.Duration { return s.opt.Budget - time.Since(s.start) }

// A part of what is left of the budget may be taken before a benchmark is
// judged, and leastMeasure at the least: in less there is nothing to judge.
const (
	listShare    = 4 // of listing the benchmarks of one package, on each side
	calibShare   = 2 // of calibrating one benchmark
	leastMeasure = 10 * time.Second
)

// listLimit is how long the benchmarks of one package may be listed.
func (s *session) listLimit() time.Duration {
	return min(s.opt.Timeout, max(s.left()/listShare, leastMeasure))
}

// minShare is the least time a benchmark gets even if the budget, evenly
// split, would give it less: in less there is no answer at all.
const minShare = 5 * time.Second

func (s *session) stopped(ctx context.Context, rest []match) {
	why := fmt.Sprintf("not run: the budget of %s is spent; a larger -budget, or fewer benchmarks by -bench", s.opt.Budget)
	s.cmp.Stopped = "budget"
	if ctx.Err() != nil {
		why, s.cmp.Stopped = "not run: interrupted", interrupted
	}
	for _, m := range rest {
		s.cmp.Benchmarks = append(s.cmp.Benchmarks, model.Compared{Benchmark: m.bm, Standing: model.Open, Why: why, Source: m.source, Code: m.code})
	}
}

// accept turns regressions that the baseline file names into accepted ones.
func (s *session) accept(c *model.Compared, bad []regression) {
	if s.opt.Baseline == nil || c.Standing != model.Regressed {
		return
	}
	var reasons []string
	for _, r := range bad {
		reason, ok := s.opt.Baseline.Accept(s.start, c.Benchmark.Pkg, c.Benchmark.Name, r.metric, r.change)
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

func (s *session) stage(name, detail string) {
	if s.opt.Watch != nil {
		s.opt.Watch.Stage(name, detail)
	}
}

func (s *session) detail(text string) {
	if s.opt.Watch != nil {
		s.opt.Watch.Detail(text)
	}
}

func (s *session) line(c model.Compared) {
	if s.opt.Watch != nil {
		s.opt.Watch.Line(fmt.Sprintf("%s: %s: %s", c.Benchmark, c.Standing, c.Why))
	}
}

func (s *session) warn(w ...model.Warning) { s.cmp.Warnings = append(s.cmp.Warnings, w...) }
