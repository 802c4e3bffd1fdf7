package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/escape"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
	"github.com/pawl-dev/pawl/internal/propose"
	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/trial"
	"github.com/pawl-dev/pawl/judge"
)

// A version is one state of the tree and what is known about it.
type version struct {
	name string                   // "base", "c1", …
	bins map[string]*bench.Binary // by import path, with the clock
	// linkers link the measured binaries anew; they are in the scratch folder.
	linkers map[string]*bench.Linker
	race    map[string]*bench.Binary // with the race detector; made when asked for
	stock   map[string]*bench.Binary // with the testing package as installed; likewise
	stats   map[model.Benchmark]model.Stats
	costs   map[model.Benchmark]costs
	notes   *escape.Notes
	prog    *propose.Program
	// findings are what the rules say, wherever it stands.
	findings []model.Finding

	patterns []string // packages that notes speaks of
}

// costs are what one benchmark's profiles say.
type costs struct {
	allocs, cpu []model.Cost
	locks       []model.Cost   // of benchmarks that run in parallel
	scaling     *model.Scaling // where they wait for locks
	gcShare     float64
	unexplained []model.Unexplained

	cpuProfile, memProfile *profile.Profile // what they were read from
	memN                   int64            // ops that memProfile covers
}

// buildVersion builds the test binaries of the tree as it is now.
func (s *Session) buildVersion(ctx context.Context, name string) (*version, error) {
	v := &version{
		name: name, bins: make(map[string]*bench.Binary), linkers: make(map[string]*bench.Linker),
		race: make(map[string]*bench.Binary), stock: make(map[string]*bench.Binary),
		stats: make(map[model.Benchmark]model.Stats), costs: make(map[model.Benchmark]costs),
	}
	for _, pkg := range s.pkgNames() {
		if _, err := s.testBinary(ctx, v, s.pkgs[pkg]); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Measure builds the base, finds its benchmarks, and learns how to sample
// them and what this machine can see.
func (s *Session) Measure(ctx context.Context) error {
	s.stage("building", fmt.Sprintf("%d test binaries", len(s.pkgs)))
	v, err := s.buildVersion(ctx, "base")
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return &stand.BrokenTree{Name: "the base", What: "does not build", Detail: ge.Output, Next: s.tree.LeftHint("mend it, or name other packages")}
	}
	if err != nil {
		return err
	}
	s.orig, s.now = v, v
	late, err := s.findBenchmarks(ctx, v)
	if err != nil {
		return err
	}
	more, err := s.warmUpAll(ctx, v)
	if err != nil {
		return err
	}
	s.leaveOut(append(more, late...))
	return s.rec.Save(*s.Run)
}

// warmUpAll warms up all benchmarks. One that fails is left out with a warning;
// when all fail, that is the error. It returns the names of those that there was
// no time for.
func (s *Session) warmUpAll(ctx context.Context, v *version) (late []string, err error) {
	until := s.share()
	plans := s.Run.Plans
	s.Run.Plans = nil
	var failed *bench.Failure
	for i, p := range plans {
		if len(s.Run.Plans) > 0 && time.Now().After(until) {
			late = plansOf(plans[i:])
			break
		}
		err := s.warmUp(ctx, v, &p)
		for _, u := range s.trial.Unsteady() {
			if err == nil {
				s.warn(u.Warning())
			}
		}
		switch {
		case err == nil:
			s.Run.Plans = append(s.Run.Plans, p)
		case ctx.Err() != nil, !errors.As(err, &failed):
			return nil, err
		default:
			s.warn(failureWarning(*failed))
		}
	}
	if len(s.Run.Plans) == 0 && failed != nil {
		return nil, brokenBenchmarks(*failed)
	}
	return late, nil
}

// measureShare is the part of what is left of the budget that finding and
// calibrating the benchmarks may take, and then their warm-up.
const measureShare = 0.5

// leastMeasure is how long each of both may take at the least, and one benchmark
// in them: in less there is nothing to go on with.
const leastMeasure = 10 * time.Second

// share returns until when the next stage of measuring the base may go on.
func (s *Session) share() time.Time {
	return time.Now().Add(max(time.Duration(measureShare*float64(s.left())), leastMeasure))
}

// leaveOut warns of benchmarks that the budget has no time for.
func (s *Session) leaveOut(names []string) {
	seen := "benchmarks are left out: " + shorten(names)
	switch len(names) {
	case 0:
		return
	case 1:
		seen = names[0] + " is left out"
	}
	s.warn(model.Warning{
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

// shorten joins names, of many the first ones.
func shorten(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// findBenchmarks lists the benchmarks and calibrates them. One that fails is
// left out with a warning; when all fail, that is the error. It returns the
// names of those that there was no time for.
func (s *Session) findBenchmarks(ctx context.Context, v *version) (late []string, err error) {
	var failures []bench.Failure
	until := s.share()
	within := func() time.Duration { return max(time.Until(until), leastMeasure) }
	over := func() bool { return len(s.Run.Plans) > 0 && time.Now().After(until) }
	pattern := s.opt.Bench
	if pattern == "" {
		pattern = "."
	}
	for _, pkg := range s.pkgNames() {
		if over() {
			late = append(late, "all of "+pkg)
			continue
		}
		s.stage("finding benchmarks", pkg)
		found, failed, err := s.suite.Benchmarks(ctx, v.bins[pkg], pattern, min(s.opt.Timeout, within()))
		if err != nil {
			return nil, err
		}
		failures = append(failures, failed...)
		for _, bm := range found {
			if over() {
				late = append(late, bm.String())
				continue
			}
			s.stage("calibrating", bm.String())
			p, err := s.suite.Calibrate(ctx, v.bins[pkg], bm, within())
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
			s.Run.Plans = append(s.Run.Plans, p)
		}
	}
	for _, f := range failures {
		s.warn(failureWarning(f))
	}
	switch {
	case len(s.Run.Plans) > 0:
		return late, nil
	case len(failures) > 0:
		return nil, brokenBenchmarks(failures[0])
	default:
		return nil, stand.NoResult(s.pkgNames(), s.opt.Bench)
	}
}

// rules are the judge's rules for the change number t of this run, counted
// from one. A search over many changes spends its error over all of them.
func (s *Session) rules(t int) judge.Rules {
	r := judge.AdoptRules()
	r.Alpha = judge.AlphaAt(s.opt.Alpha, t)
	r.MinEffect = max(s.opt.MinEffect, trial.LayoutFloor)
	return r
}

// noisySD is the noise of a duet above which it is worth a word: it is two to
// three times that of usual benchmarks on a shared machine.
const noisySD = 0.06

func (s *Session) warmUp(ctx context.Context, v *version, p *model.Plan) error {
	s.stage("A/A warm-up", p.Benchmark.String())
	n, pairs, err := s.trial.WarmUp(ctx, *p, v.bins[p.Benchmark.Pkg], s.rules(1), s.opt.PerChange)
	if err != nil {
		return fmt.Errorf("warm-up of %s: %w", p.Benchmark.Name, err)
	}
	s.Run.Noise = append(s.Run.Noise, n)
	full, half := pairs[:len(pairs)-1], pairs[len(pairs)-1]
	v.stats[p.Benchmark] = withoutOnce(stats(full, 0), full[0][0], half[0])
	if counts := trial.Compare(full); counts[0].Noisy || counts[1].Noisy {
		p.Warnings = append(p.Warnings, model.Warning{
			Seen:  fmt.Sprintf("%s: allocs/op or B/op differ from run to run", p.Benchmark),
			Cause: "pools, maps that grow, or goroutines",
			Try:   "read its counts as estimates",
		})
	}
	if n.SD > noisySD {
		s.warn(model.Warning{
			Seen:  fmt.Sprintf("two runs of the same binary of %s differ by %.1f %% (standard deviation of a duet)", p.Benchmark, 100*n.SD),
			Cause: "a busy machine, or a benchmark whose work varies",
			Try:   "a quieter moment, or a larger -per-change",
		})
	}
	return s.saveSamples(p.Benchmark, "aa", pairs)
}

// stats takes one arm's figures from units. There is no wall time in them: two
// arms share a core, and each takes twice as long.
func stats(pairs [][2]model.Sample, arm int) model.Stats {
	var cpu, allocs, bytes []float64
	for _, p := range pairs {
		cpu = append(cpu, p[arm].CPUNs)
		allocs = append(allocs, p[arm].AllocsPerOp())
		bytes = append(bytes, p[arm].BytesPerOp())
	}
	return model.Stats{
		CPUNs: trial.Median(cpu), Allocs: trial.Median(allocs), Bytes: trial.Median(bytes),
	}
}

// withoutOnce takes off counts what a slice allocates once.
func withoutOnce(st model.Stats, full, half model.Sample) model.Stats {
	st.Allocs = trial.Slope("allocs/op", full, half, st.Allocs)
	st.Bytes = trial.Slope("B/op", full, half, st.Bytes)
	return st
}

// saveSamples appends units to the run's benchfmt files: one file an arm.
func (s *Session) saveSamples(bm model.Benchmark, what string, pairs [][2]model.Sample) error {
	for i, arm := range []model.Arm{model.Base, model.Candidate} {
		out, err := s.rec.Samples(store.SetName(bm)+"."+what, arm, s.Run.Env)
		if err != nil {
			return err
		}
		for _, p := range pairs {
			sample := p[i]
			sample.Arm = arm
			err = errors.Join(err, out.Write(sample))
		}
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
	return nil
}

// plan returns how a benchmark is sampled.
func (s *Session) plan(bm model.Benchmark) model.Plan {
	i := slices.IndexFunc(s.Run.Plans, func(p model.Plan) bool { return p.Benchmark == bm })
	return s.Run.Plans[i]
}

// noise returns what the warm-up of a benchmark showed.
func (s *Session) noise(bm model.Benchmark) model.Noise {
	for _, n := range s.Run.Noise {
		if n.Benchmark == bm {
			return n
		}
	}
	return model.Noise{Benchmark: bm}
}
