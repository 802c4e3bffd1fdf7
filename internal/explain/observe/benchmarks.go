package observe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// ErrNoBenchmark is wrapped by the error for packages without one.
var ErrNoBenchmark = errors.New("no benchmark")

// The kinds that testing writes, and the name of each for pawl.
var testingKinds = []struct{ flag, kind string }{
	{"cpuprofile", "cpu"}, {"memprofile", "heap"}, {"mutexprofile", "mutex"}, {"blockprofile", "block"},
}

// leastRound is the least time that a benchmark is run for.
const leastRound = 20 * time.Millisecond

// Benchmarks runs the benchmarks of packages that match pattern, all of one
// package in one process with all profilers on, and joins the profiles of each
// kind. The time is divided among the benchmarks. One more run of each, for one
// iteration, finds out how many there are. A benchmark that fails, and a package
// where none works, are warnings; where none works at all, that is the error.
func (s *Site) Benchmarks(ctx context.Context, target string, pkgs []gocmd.Package, pattern string) (*Result, error) {
	named := fmt.Sprintf(" that matches -bench %q", pattern)
	if pattern == "" {
		pattern, named = ".", ""
	}
	built, given, declared, err := s.prepareAll(ctx, pkgs, pattern)
	if err != nil {
		return nil, err
	}
	leaves := 0
	for _, b := range built {
		leaves += b.leaves
	}
	switch {
	case leaves == 0 && len(given) > 0:
		return nil, given[0].err
	case leaves == 0 && declared:
		return nil, fmt.Errorf("%w of %s%s came to a result: others have other names, skip themselves, or end the process; go test -v -bench shows which", ErrNoBenchmark, target, named)
	case leaves == 0:
		return nil, fmt.Errorf("%w in %s; name packages that have some, or one main package", ErrNoBenchmark, target)
	}
	dir, err := s.directory()
	if err != nil {
		return nil, err
	}
	r := &Result{Observed: model.Observed{Form: "benchmarks", Target: target, Ended: "all benchmarks ended"}}
	// A benchmark grows its rounds until one is long enough: in all, one and a half
	// times of what is asked for.
	round := max(leastRound, s.c.For*2/3/time.Duration(leaves))
	ran, late, err := s.profileAll(ctx, r, built, pattern, round)
	given = append(given, late...)
	switch {
	case err != nil:
		return nil, err
	case len(ran) == 0:
		return nil, given[0].err
	}
	for _, f := range given {
		r.Warnings = append(r.Warnings, f.warning())
	}
	return r, r.join(dir, ran)
}

// prepareAll prepares the packages that declare benchmarks, and returns those
// that have some, those where none works, and whether any declares one. The
// error is that of ctx.
func (s *Site) prepareAll(ctx context.Context, pkgs []gocmd.Package, pattern string) (built []*testBinary, given []*packageFailure, declared bool, err error) {
	for _, p := range pkgs {
		if !declares(p) {
			continue // nothing to build
		}
		declared = true
		b, err := s.prepare(ctx, p, pattern)
		switch {
		case ctx.Err() != nil:
			return nil, nil, false, err
		case err != nil:
			given = append(given, &packageFailure{p.ImportPath, err})
		case b.leaves > 0:
			built = append(built, b)
		}
	}
	return built, given, declared, nil
}

// profileAll profiles packages one after the other into r, and returns those
// with profiles and those without any. The error is that of ctx.
func (s *Site) profileAll(ctx context.Context, r *Result, built []*testBinary, pattern string, round time.Duration) (ran []*testBinary, given []*packageFailure, err error) {
	for _, b := range built {
		s.c.say("running %s of %s for %s each, with profilers", words.Plural(b.leaves, "benchmark"), b.pkg.ImportPath, round.Round(time.Millisecond))
		err := s.profile(ctx, r, b, pattern, round)
		switch {
		case ctx.Err() != nil:
			return nil, nil, err
		case err != nil:
			given = append(given, &packageFailure{b.pkg.ImportPath, err})
		default:
			ran = append(ran, b)
			r.Warnings = append(r.Warnings, b.leftOut()...)
		}
	}
	return ran, given, nil
}

// prepare builds the tests of a package and finds out which benchmarks it has.
// The error is for a package where none can be profiled.
func (s *Site) prepare(ctx context.Context, p gocmd.Package, pattern string) (*testBinary, error) {
	b, err := s.buildTest(ctx, p)
	if err != nil {
		return nil, err
	}
	if b.leaves, err = s.count(ctx, b, pattern); err != nil {
		return nil, err
	}
	if b.leaves == 0 {
		return b, b.err
	}
	return b, nil
}

var benchmarkFunc = regexp.MustCompile(`(?m)^func Benchmark\w*\(`)

func declares(p gocmd.Package) bool {
	return slices.ContainsFunc(slices.Concat(p.TestGoFiles, p.XTestGoFiles), func(name string) bool {
		src, err := os.ReadFile(filepath.Join(p.Dir, name))
		return err == nil && benchmarkFunc.Match(src)
	})
}

// A testBinary is one package's test binary, and the directory of its profiles.
type testBinary struct {
	pkg    gocmd.Package
	path   string
	dir    string
	leaves int
	began  []string  // names without the suffix -N
	failed []failure // benchmarks that are left out
	err    error     // of the last run that failed
}

func (s *Site) buildTest(ctx context.Context, p gocmd.Package) (*testBinary, error) {
	dir, err := s.directory()
	if err != nil {
		return nil, err
	}
	b := &testBinary{pkg: p, dir: dir, path: filepath.Join(dir, "bench.test"+s.g.Vars["GOEXE"])}
	s.c.say("building the tests of %s", p.ImportPath)
	if err := s.g.BuildTest(ctx, p.ImportPath, b.path, gocmd.BuildOpts{}); err != nil {
		return nil, fmt.Errorf("building the tests of %s: %w", p.ImportPath, err)
	}
	return b, nil
}

// run runs the benchmarks of a package for at most limit.
func (s *Site) run(ctx context.Context, b *testBinary, limit time.Duration, flags ...string) (gocmd.Exit, error) {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err := startChild(ctx, s.g.Meter, gocmd.Proc{
		Path: b.path, Args: append([]string{"-test.run=^$", "-test.paniconexit0"}, flags...), Dir: b.pkg.Dir, Env: s.g.Env("PWD=" + b.pkg.Dir),
	})
	if err != nil {
		return gocmd.Exit{}, err
	}
	c.wait(bounded, limit, func() bool { return false })
	byItself := c.end()
	switch {
	case ctx.Err() != nil:
		return c.exit, ctx.Err()
	case !byItself:
		return c.exit, &failedRun{b.pkg.ImportPath, c.exit, limit}
	case c.exit.Code != 0:
		return c.exit, &failedRun{b.pkg.ImportPath, c.exit, 0}
	}
	return c.exit, c.err
}

func (s *Site) count(ctx context.Context, b *testBinary, pattern string) (int, error) {
	s.c.say("looking which benchmarks %s has", b.pkg.ImportPath)
	e, err := s.runOthers(ctx, b, s.c.For*3+slack, "-test.bench="+pattern, "-test.benchtime=1x", "-test.v")
	if err != nil {
		return 0, err
	}
	return len(results(string(e.Stdout))), nil
}

func (s *Site) profile(ctx context.Context, r *Result, b *testBinary, pattern string, round time.Duration) error {
	flags := []string{"-test.bench=" + pattern, "-test.benchtime=" + round.String(), "-test.mutexprofilefraction=10", "-test.blockprofilerate=1000000"}
	for _, k := range testingKinds {
		flags = append(flags, "-test."+k.flag+"="+filepath.Join(b.dir, k.kind))
	}
	e, err := s.runOthers(ctx, b, s.c.For*6+slack, flags...)
	ran := results(string(e.Stdout))
	switch {
	case err != nil:
		return err
	case len(ran) == 0 && b.err != nil:
		return b.err
	}
	r.Seconds += e.Wall.Seconds()
	r.CPUNs += float64(e.CPU)
	for _, one := range ran {
		one.Pkg = b.pkg.ImportPath
		r.Benchmarks = append(r.Benchmarks, one)
	}
	return nil
}

// join makes one profile of each kind. The memory profile is of the whole
// process, like the others, and what testing does itself is left out.
func (r *Result) join(dir string, built []*testBinary) error {
	for _, k := range testingKinds {
		var files []string
		for _, b := range built {
			if name := filepath.Join(b.dir, k.kind); gocmd.IsFile(name) {
				files = append(files, name)
			}
		}
		to := filepath.Join(dir, k.kind+".pprof")
		some, err := join(to, ofTesting, files...)
		switch {
		case err != nil:
			return err
		case some:
			r.Profiles = append(r.Profiles, to)
		default:
			r.nothing(k.kind)
		}
	}
	return nil
}

var resultLine = regexp.MustCompile(`(?m)^(Benchmark\S*)\s+(\d+)\s+([0-9.e+]+) ns/op`)

// results reads the lines that testing prints of benchmarks. One that prints
// in its loop breaks its own line: then it is missing here.
func results(out string) []model.RanBenchmark {
	var all []model.RanBenchmark
	for _, m := range resultLine.FindAllStringSubmatch(out, -1) {
		n, err := strconv.ParseInt(m[2], 10, 64)
		perOp, err2 := strconv.ParseFloat(m[3], 64)
		if took := float64(n) * perOp / 1e9; err == nil && err2 == nil && !math.IsInf(took, 0) {
			all = append(all, model.RanBenchmark{Name: m[1], N: n, Seconds: took})
		}
	}
	return all
}

// mostTold is how many lines of a process are told.
const mostTold = 12

// tail is what a process said of its end: a crash from its message on, whose
// last lines are those of the runtime, or else its last lines.
func tail(e gocmd.Exit) string {
	text := strings.TrimSpace(string(e.Stdout) + "\n" + string(e.Stderr))
	if at := crashLine.FindStringIndex(text); at != nil {
		lines := strings.Split(text[at[0]:], "\n")
		return strings.Join(lines[:min(mostTold, len(lines))], "\n")
	}
	return words.LastLines(text, mostTold)
}
