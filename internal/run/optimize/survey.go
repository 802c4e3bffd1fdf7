package optimize

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/words"
)

// A survey finds out which benchmarks there are, how to sample them, and what
// this machine can see in them. It fills Plans and Noise of the run.
type survey struct {
	run    *model.Run
	opt    Options
	m      *state.Module
	base   *state.State // that the run began with
	now    *state.State // that it stands on
	prover *attempt.Prover
	queue  *queue
	// measured takes in the figures of a benchmark on the base.
	measured func(model.Benchmark, model.Stats)
	left     func() time.Duration // of the run's budget

	failures []bench.Failure // of benchmarks that are left out
	ended    *bench.Ended    // the last package that is left out; nil for none
}

// do measures the benchmarks of the base: all that the budget has time for, or of a run
// that comes back for others the first few. It leaves out, with a warning, what fails.
func (s *survey) do(ctx context.Context) error {
	until := s.share()
	if err := s.find(ctx, until); err != nil {
		return err
	}
	var ahead *state.Begun
	defer func() { ahead.Stop() }()
	for first := true; first || len(s.run.Plans) == 0; first = false {
		plans, err := s.choose(ctx, func(n int) bool { return s.enough(n, until) })
		if err != nil {
			return err
		}
		if len(plans) == 0 {
			break
		}
		if first && s.opt.Verb != "find" { // which has no use for most of it
			ahead = s.base.BuildAhead(ctx)
		}
		if first && !slices.ContainsFunc(plans, func(p model.Plan) bool { return p.Mode != model.Duet }) {
			s.base.ReadAhead(ctx) // what else runs would show in wall times alone
			if s.opt.Verb != "find" {
				s.m.PrepareOrder(ctx)
			}
		}
		enough := s.share()
		if s.queue.lasts {
			enough = time.Time{} // they are few
		}
		late, err := s.each(ctx, plans, enough, s.warmUp)
		if err != nil {
			return err
		}
		s.queue.back(late)
	}
	if len(s.run.Plans) == 0 {
		return s.none()
	}
	return nil
}

// enough reports whether n benchmarks are, for now.
func (s *survey) enough(n int, until time.Time) bool {
	if s.queue.lasts {
		return n >= atOnce
	}
	return n > 0 && time.Now().After(until)
}

// further measures a few of the benchmarks that wait.
func (s *survey) further(ctx context.Context) error {
	plans, err := s.choose(ctx, func(n int) bool { return s.enough(n, time.Time{}) })
	if err != nil {
		return err
	}
	_, err = s.each(ctx, plans, time.Time{}, s.glance)
	return err
}

// each measures benchmarks, at least one, and then until some time, if that is
// not zero. One that fails is left out with a warning. It returns those that there was no time for.
func (s *survey) each(ctx context.Context, plans []model.Plan, until time.Time, measure func(context.Context, *model.Plan) error) (late []model.Plan, err error) {
	var failed *bench.Failure
	for i, p := range plans {
		if len(s.run.Plans) > 0 && !until.IsZero() && time.Now().After(until) {
			late = plans[i:]
			break
		}
		err := measure(ctx, &p)
		for _, u := range s.prover.Trial.Unsteady() {
			if err == nil {
				s.m.Warn(u.Warning())
			}
		}
		switch {
		case err == nil:
			s.run.Plans = append(s.run.Plans, p)
		case ctx.Err() != nil, !errors.As(err, &failed):
			return nil, err
		default:
			s.failed(*failed)
		}
	}
	return late, nil
}

// measureShare is the part of what is left of the budget that finding and
// calibrating the benchmarks may take, and then their warm-up. A run that comes back
// for others lists them in findShare of it.
const (
	measureShare = 0.5
	findShare    = 0.1
)

// atOnce is how many benchmarks such a run measures before it looks for ideas in them: as
// many as are profiled at a time.
const atOnce = 2

// leastMeasure is how long each of both may take at least, and one benchmark
// in them, if there is as much: in less there is nothing to go on with.
const leastMeasure = 10 * time.Second

// share returns until when the next stage of measuring the base may go on.
func (s *survey) share() time.Time {
	if s.queue.lasts {
		return time.Now().Add(grant(s.prover.Left(), findShare, 0))
	}
	return time.Now().Add(grant(s.prover.Left(), measureShare, leastMeasure))
}

// forOne is how long one step of a benchmark, or of a package, may take.
func (s *survey) forOne() time.Duration {
	return grant(s.left(), measureShare, leastMeasure)
}

// leaveOut warns of benchmarks that the budget has no time for.
func (s *survey) leaveOut() {
	names := s.queue.names()
	if len(names) == 0 || s.queue.lasts && len(s.run.Plans) == 0 { // that none was measured is said already
		return
	}
	w := model.Warning{
		Seen:  "benchmarks are left out: " + words.Some(names, 8),
		Cause: fmt.Sprintf("measuring the others took the part of the budget of %s that is for it", s.opt.Budget),
		Try:   "a larger -budget, or fewer benchmarks with -bench",
	}
	switch {
	case s.queue.lasts:
		w.Seen = fmt.Sprintf("%s; nothing is known of %s", s.queue.measured(), words.Some(names, 8))
		w.Cause = fmt.Sprintf("the run ended before their turn: ideas from one benchmark are tried before the next is measured, within a budget of %s", s.opt.Budget)
		w.Try = "a larger -budget, or the benchmarks that matter with -bench"
	case len(names) == 1:
		w.Seen = names[0] + " is left out"
	}
	s.m.Warn(w)
}

// find lists the benchmarks, package by package. Where the time is over, those of the
// others are listed when it is their turn.
func (s *survey) find(ctx context.Context, until time.Time) error {
	for _, pkg := range s.m.Names() {
		if s.queue.found > 0 && time.Now().After(until) {
			s.queue.waiting = append(s.queue.waiting, waiting{bm: model.Benchmark{Pkg: pkg}})
			continue
		}
		if err := s.listed(ctx, pkg, s.forOne()); err != nil {
			return err
		}
	}
	return nil
}

// listed puts the benchmarks of a package into the queue.
func (s *survey) listed(ctx context.Context, pkg string, within time.Duration) error {
	s.m.Watch.Stage("finding benchmarks", pkg)
	found, failed, err := s.m.Suite.List(ctx, s.base.Binary(pkg), s.prover.Pattern, min(s.opt.Timeout, within))
	var ended *bench.Ended
	if errors.As(err, &ended) && ctx.Err() == nil {
		s.ended = ended
		s.m.Warn(model.Warning{Seen: "the benchmarks of " + pkg + " are left out: its test binary " + ended.How, Cause: ended.Output, Try: "go test -run '^$' -bench . " + pkg})
		return nil
	}
	if err != nil {
		return err
	}
	s.failed(failed...)
	s.queue.add(found)
	return nil
}

// choose takes benchmarks out of the queue, as they are to be sampled, until there are
// enough. One that fails is left out with a warning.
func (s *survey) choose(ctx context.Context, enough func(n int) bool) (plans []model.Plan, err error) {
	for !enough(len(plans)) {
		i := s.queue.next()
		if i < 0 {
			break
		}
		w := s.queue.waiting[i]
		switch {
		case w.plan != nil:
			plans = append(plans, *s.queue.take(i).plan)
		case w.listed():
			err = s.calibrated(ctx, i)
		default:
			s.queue.take(i)
			err = s.listed(ctx, w.bm.Pkg, s.forOne())
		}
		if err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// calibrated finds how the benchmark in a place of the queue is sampled. One that fails
// goes.
func (s *survey) calibrated(ctx context.Context, i int) error {
	bm := s.queue.waiting[i].bm
	s.m.Watch.Stage("calibrating", bm.String())
	p, err := s.m.Suite.Calibrate(ctx, s.base.Binary(bm.Pkg), bm, s.forOne())
	var f *bench.Failure
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &f):
		s.queue.take(i)
		s.failed(*f)
		return nil
	case err != nil:
		return err
	}
	s.queue.waiting[i].plan = &p
	return nil
}

// failed leaves out benchmarks that fail, with a warning.
func (s *survey) failed(list ...bench.Failure) {
	for _, f := range list {
		s.m.Warn(failureWarning(f))
	}
	s.failures = append(s.failures, list...)
}

// none is why there is no benchmark to go on with.
func (s *survey) none() error {
	switch {
	case len(s.failures) > 0:
		return brokenBenchmarks(s.failures[0])
	case s.ended != nil:
		return s.ended
	}
	return testbed.NoResult(s.m.Names(), s.opt.Bench)
}

// list finds the benchmarks of the base. How they are sampled is not known yet:
// that is found out for those that run the change.
func (s *survey) list(ctx context.Context) error {
	for _, pkg := range s.m.Names() {
		if err := s.listed(ctx, pkg, grant(s.left(), listShare, leastMeasure)); err != nil {
			return err
		}
	}
	for _, w := range s.queue.waiting {
		s.run.Plans = append(s.run.Plans, model.Plan{Benchmark: w.bm, N: listedN, Mode: model.Duet})
	}
	s.queue.waiting, s.prover.Plans = nil, s.run.Plans
	if len(s.run.Plans) == 0 {
		return s.none()
	}
	return nil
}

const (
	listShare = 0.25 // the part of what is left that listing the benchmarks of a package may take
	listedN   = 100  // the iterations of a benchmark that is not calibrated, for coverage
)

// calibrate finds how the benchmarks are to be sampled that run a change.
func (s *survey) calibrate(ctx context.Context, plans []model.Plan) ([]model.Plan, error) {
	var out []model.Plan
	for i, p := range plans {
		s.m.Watch.Stage("calibrating", p.Benchmark.String())
		within := grant(s.left(), measureShare/float64(len(plans)-i), leastMeasure)
		q, err := s.m.Suite.Calibrate(ctx, s.base.Binary(p.Benchmark.Pkg), p.Benchmark, within)
		var f *bench.Failure
		switch {
		case err == nil:
			out = append(out, q)
		case errors.As(err, &f) && ctx.Err() == nil:
			s.m.Warn(failureWarning(*f))
		default:
			return nil, err
		}
	}
	return out, nil
}

// noisySD is the noise of a duet above which it is worth a word: it is two to
// three times that of usual benchmarks on a shared machine.
const noisySD = 0.06

// A warm-up takes about warmUpSlices slices at least. Where that is more than warmUpShare of what is left, a run that comes
// back for other benchmarks has a glance instead.
const (
	warmUpSlices = 5
	warmUpShare  = 0.1
)

// slow reports whether the warm-up of a benchmark would take too much of the budget.
func (s *survey) slow(p *model.Plan) bool {
	return s.queue.lasts && warmUpSlices*(p.SliceNs+p.SetupNs+p.TimedNs) > warmUpShare*float64(s.left())
}

func (s *survey) warmUp(ctx context.Context, p *model.Plan) error {
	if s.slow(p) {
		return s.glance(ctx, p)
	}
	s.m.Watch.Stage("A/A warm-up", p.Benchmark.String())
	n, pairs, err := s.prover.Trial.WarmUp(ctx, *p, s.base.Binary(p.Benchmark.Pkg), s.prover.Rules(1), s.prover.PerChange)
	if err != nil {
		return fmt.Errorf("warm-up of %s: %w", p.Benchmark.Name, err)
	}
	s.noise(n)
	full, half := pairs[:len(pairs)-1], pairs[len(pairs)-1]
	s.measured(p.Benchmark, withoutOnce(verdict.Figures(p.Mode, full, nil)[0], full[0][0], half[0]))
	if counts := verdict.Counts(full, 1); counts[0].Noisy || counts[1].Noisy {
		p.Warnings = append(p.Warnings, noisyCounts(p.Benchmark))
	}
	if n.SD > noisySD {
		s.m.Warn(model.Warning{
			Seen:  fmt.Sprintf("two runs of the same binary of %s differ by %.1f %% (standard deviation of a duet)", p.Benchmark, 100*n.SD),
			Cause: "a busy machine, or a benchmark whose work varies",
			Try:   "a quieter moment, or a larger -per-change",
		})
	}
	return s.m.SaveSamples(p.Benchmark, "aa", pairs)
}

// noise notes that of a benchmark, in the place of what was known of it.
func (s *survey) noise(n model.Noise) {
	s.run.Noise = append(slices.DeleteFunc(s.run.Noise, func(x model.Noise) bool { return x.Benchmark == n.Benchmark }), n)
}

func noisyCounts(bm model.Benchmark) model.Warning {
	return model.Warning{
		Seen:  fmt.Sprintf("%s: allocs/op or B/op differ from run to run", bm),
		Cause: "pools, maps that grow, or goroutines",
		Try:   "read its counts as estimates",
	}
}

// glance takes the figures of a benchmark, of the version that the run began with and of the
// one that it stands on, from a single unit. Of its noise nothing is known then: most
// benchmarks that are looked at later give no idea that it matters for.
func (s *survey) glance(ctx context.Context, p *model.Plan) error {
	bm := p.Benchmark
	s.m.Watch.Stage("measuring", bm.String())
	base, now := s.base.Binary(bm.Pkg), s.now.Binary(bm.Pkg)
	if now != base && s.now.SameProgram(s.base, bm.Pkg) {
		now = base
	}
	n, full, half, err := s.prover.Trial.Glance(ctx, *p, base, now)
	if err != nil && now != base && ctx.Err() == nil { // the figures of what it began with are an estimate
		now = base
		n, full, half, err = s.prover.Trial.Glance(ctx, *p, base, now)
	}
	if err != nil {
		return fmt.Errorf("measuring %s: %w", bm.Name, err)
	}
	s.noise(n)
	st := verdict.Figures(p.Mode, [][2]model.Sample{full}, nil)
	s.measured(bm, withoutOnce(st[0], full[0], half[0]))
	pairs := [][2]model.Sample{full, half}
	if now != base {
		s.now.Measured(bm, withoutOnce(st[1], full[1], half[1]))
		return nil // no samples of one program twice
	}
	if counts := verdict.Counts(pairs[:1], 1); counts[0].Noisy || counts[1].Noisy {
		p.Warnings = append(p.Warnings, noisyCounts(bm))
	}
	return s.m.SaveSamples(bm, "aa", pairs)
}

// withoutOnce takes off counts what a slice allocates once.
func withoutOnce(st model.Stats, full, half model.Sample) model.Stats {
	st.Allocs = verdict.Slope("allocs/op", full, half, st.Allocs)
	st.Bytes = verdict.Slope("B/op", full, half, st.Bytes)
	return st
}

// failureWarning reports that a benchmark failed and is left out.
func failureWarning(f bench.Failure) model.Warning {
	run := "go test -run '^$' -bench '" + f.Benchmark.Regexp() + "' " + f.Benchmark.Pkg
	said, _, _ := strings.Cut(f.Output, "\ngoroutine ") // the command to try shows the stack of a panic
	w := model.Warning{Seen: f.Benchmark.Name + " is left out: it " + f.Why, Cause: strings.TrimSpace(said), Try: run}
	if f.Late {
		w.Cause = "it takes long, or does not end; a part of the budget is for measuring the base"
		w.Try = "a larger -budget, or other benchmarks with -bench; " + run + " shows how long it takes"
	}
	if f.Last {
		w.Seen += ", and so are those of its package that come after it"
	}
	return w
}

// nextOf says what to do where all benchmarks fail, and the first like this.
func nextOf(f bench.Failure) string {
	if f.Late {
		return "fix it if it does not end; else give a larger -budget, or choose others with -bench"
	}
	return "fix them, or choose others with -bench"
}

// brokenBenchmarks is the error of benchmarks that all fail, and the first like
// this.
func brokenBenchmarks(f bench.Failure) error {
	return &testbed.BrokenTree{Name: "the base", What: "has benchmarks that fail", Detail: f.Error(), Next: nextOf(f)}
}
