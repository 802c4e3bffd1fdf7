package optimize

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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
	base   *state.State
	prover *attempt.Prover
	left   func() time.Duration // of the run's budget
	toRead func() time.Duration // how long reading source may take
}

// do leaves out, with a warning, what fails and what the budget has no time for.
func (s *survey) do(ctx context.Context) error {
	late, err := s.findBenchmarks(ctx)
	if err != nil {
		return err
	}
	var ahead *state.Begun
	if s.opt.Verb != "find" { // which has no use for most of it
		ahead = s.base.BuildAhead(ctx)
	}
	if !slices.ContainsFunc(s.run.Plans, func(p model.Plan) bool { return p.Mode != model.Duet }) {
		s.base.ReadAhead(ctx, s.toRead) // what else runs would show in wall times alone
	}
	more, err := s.warmUpAll(ctx)
	ahead.Stop()
	if err != nil {
		return err
	}
	s.leaveOut(append(more, late...))
	return nil
}

// warmUpAll warms up all benchmarks. One that fails is left out with a warning;
// when all fail, that is the error. It returns the names of those that there was
// no time for.
func (s *survey) warmUpAll(ctx context.Context) (late []string, err error) {
	until := s.share()
	plans := s.run.Plans
	s.run.Plans = nil
	var failed *bench.Failure
	for i, p := range plans {
		if len(s.run.Plans) > 0 && time.Now().After(until) {
			late = plansOf(plans[i:])
			break
		}
		err := s.warmUp(ctx, &p)
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
			s.m.Warn(failureWarning(*failed))
		}
	}
	if len(s.run.Plans) == 0 && failed != nil {
		return nil, brokenBenchmarks(*failed)
	}
	return late, nil
}

// measureShare is the part of what is left of the budget that finding and
// calibrating the benchmarks may take, and then their warm-up.
const measureShare = 0.5

// leastMeasure is how long each of both may take at least, and one benchmark
// in them: in less there is nothing to go on with.
const leastMeasure = 10 * time.Second

// share returns until when the next stage of measuring the base may go on.
func (s *survey) share() time.Time {
	return time.Now().Add(max(time.Duration(measureShare*float64(s.prover.Left())), leastMeasure))
}

// leaveOut warns of benchmarks that the budget has no time for.
func (s *survey) leaveOut(names []string) {
	seen := "benchmarks are left out: " + words.Some(names, 8)
	switch len(names) {
	case 0:
		return
	case 1:
		seen = names[0] + " is left out"
	}
	s.m.Warn(model.Warning{
		Seen:  seen,
		Cause: fmt.Sprintf("measuring the others took the part of the budget of %s that is for it", s.opt.Budget),
		Try:   "a larger -budget, or fewer benchmarks with -bench",
	})
}

func plansOf(plans []model.Plan) []string {
	names := make([]string, len(plans))
	for i, p := range plans {
		names[i] = p.Benchmark.String()
	}
	return names
}

// findBenchmarks lists the benchmarks and calibrates them. One that fails is
// left out with a warning; when all fail, that is the error. It returns the
// names of those that there was no time for.
func (s *survey) findBenchmarks(ctx context.Context) (late []string, err error) {
	var failures []bench.Failure
	until := s.share()
	within := func() time.Duration { return max(time.Until(until), leastMeasure) }
	over := func() bool { return len(s.run.Plans) > 0 && time.Now().After(until) }
	for _, pkg := range s.m.Names() {
		if over() {
			late = append(late, "all of "+pkg)
			continue
		}
		s.m.Watch.Stage("finding benchmarks", pkg)
		found, failed, err := s.m.Suite.Benchmarks(ctx, s.base.Binary(pkg), s.pattern(), min(s.opt.Timeout, within()))
		if err != nil {
			return nil, err
		}
		failures = append(failures, failed...)
		for _, bm := range found {
			if over() {
				late = append(late, bm.String())
				continue
			}
			s.m.Watch.Stage("calibrating", bm.String())
			p, err := s.m.Suite.Calibrate(ctx, s.base.Binary(pkg), bm, within())
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			var f *bench.Failure
			if errors.As(err, &f) {
				failures = append(failures, *f)
				continue
			}
			if err != nil {
				return nil, err
			}
			s.run.Plans = append(s.run.Plans, p)
		}
	}
	return late, s.some(failures)
}

// some makes sure that there are benchmarks to go on with, and warns of those that
// fail.
func (s *survey) some(failures []bench.Failure) error {
	for _, f := range failures {
		s.m.Warn(failureWarning(f))
	}
	switch {
	case len(s.run.Plans) > 0:
		return nil
	case len(failures) > 0:
		return brokenBenchmarks(failures[0])
	default:
		return testbed.NoResult(s.m.Names(), s.opt.Bench)
	}
}

// pattern is that of the chosen benchmarks.
func (s *survey) pattern() string { return cmp.Or(s.opt.Bench, ".") }

// list finds the benchmarks of the base. How they are sampled is not known yet:
// that is found out for those that run the change.
func (s *survey) list(ctx context.Context) error {
	var broken []bench.Failure
	for _, pkg := range s.m.Names() {
		s.m.Watch.Stage("finding benchmarks", pkg)
		limit := min(s.opt.Timeout, max(s.left()/listShare, leastMeasure))
		found, failed, err := s.m.Suite.Benchmarks(ctx, s.base.Binary(pkg), s.pattern(), limit)
		if err != nil {
			return err
		}
		broken = append(broken, failed...)
		for _, bm := range found {
			s.run.Plans = append(s.run.Plans, model.Plan{Benchmark: bm, N: listedN, Mode: model.Duet})
		}
	}
	s.prover.Plans = s.run.Plans
	return s.some(broken)
}

const (
	listShare = 4   // the part of what is left that listing the benchmarks of a package may take
	listedN   = 100 // the iterations of a benchmark that is not calibrated, for coverage
)

// calibrate finds how the benchmarks are to be sampled that run a change.
func (s *survey) calibrate(ctx context.Context, plans []model.Plan) ([]model.Plan, error) {
	var out []model.Plan
	for i, p := range plans {
		s.m.Watch.Stage("calibrating", p.Benchmark.String())
		within := max(s.left()/2/time.Duration(len(plans)-i), leastMeasure)
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

func (s *survey) warmUp(ctx context.Context, p *model.Plan) error {
	s.m.Watch.Stage("A/A warm-up", p.Benchmark.String())
	n, pairs, err := s.prover.Trial.WarmUp(ctx, *p, s.base.Binary(p.Benchmark.Pkg), s.prover.Rules(1), s.prover.PerChange)
	if err != nil {
		return fmt.Errorf("warm-up of %s: %w", p.Benchmark.Name, err)
	}
	s.run.Noise = append(s.run.Noise, n)
	full, half := pairs[:len(pairs)-1], pairs[len(pairs)-1]
	s.base.Measured(p.Benchmark, withoutOnce(verdict.Figures(p.Mode, full, nil)[0], full[0][0], half[0]))
	if counts := verdict.Counts(full, 1); counts[0].Noisy || counts[1].Noisy {
		p.Warnings = append(p.Warnings, model.Warning{
			Seen:  fmt.Sprintf("%s: allocs/op or B/op differ from run to run", p.Benchmark),
			Cause: "pools, maps that grow, or goroutines",
			Try:   "read its counts as estimates",
		})
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

// withoutOnce takes off counts what a slice allocates once.
func withoutOnce(st model.Stats, full, half model.Sample) model.Stats {
	st.Allocs = verdict.Slope("allocs/op", full, half, st.Allocs)
	st.Bytes = verdict.Slope("B/op", full, half, st.Bytes)
	return st
}

// failureWarning reports that a benchmark failed and is left out.
func failureWarning(f bench.Failure) model.Warning {
	run := "go test -run '^$' -bench '" + f.Benchmark.Regexp() + "' " + f.Benchmark.Pkg
	w := model.Warning{Seen: f.Benchmark.Name + " is left out: it " + f.Why, Cause: f.Output, Try: run}
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
