package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/comparison"
	"github.com/pawl-dev/pawl/internal/report/progress"
	"github.com/pawl-dev/pawl/internal/run/compare"
)

const compareManual = `
Compare runs the benchmarks of two versions in pairs, at the same time on one
core, until it is known for each whether the candidate is slower, faster, or
neither by as much as -min-effect. BASE and CANDIDATE are git refs or "." for
the work tree, test binaries, or files of results. -html FILE writes what was
found as a page for people.

BASE and CANDIDATE are

  two git refs, or "." for the work tree as it is, or a patch file as the
  candidate: both are built here, one after the other. Where a difference is
  one that the layout of the code could make, both are linked anew, in random
  order, for each unit of the measurement: the verdict is about the sources,
  not about the luck of one link;

  two test binaries (go test -c): they run in the current directory, and the
  verdict is one on these two files;

  two files of benchmark results: compare says what they can show, which for
  times that were not measured in pairs is little;

  with -load 'CMD', two commands that start programs: both run side by side, CMD
  puts them under load, and they are judged by CPU time per request and by the
  latencies that CMD prints. {addr} and {port} in all three stand for where the
  program is to listen.

Allocations are counted first: what rises is proven whatever is found of time.
Before a benchmark is judged, the base is compared with itself: that tells
what this machine can see of it, and what that will cost. One whose machine
code is the same on both sides is not run. What each word of the answer means
is in docs/compare.md.

It exits with 0 when nothing regressed, with 1 when something did, and with 4
when it could not tell of at least one benchmark and nothing regressed.`

// A judging holds the flags that compare and gate share.
type judging struct {
	chdir        string
	bench        string
	screen       bool
	budget       time.Duration
	perBenchmark time.Duration
	alpha        float64
	minEffect    float64
	metrics      verdict.Directions
	timeout      time.Duration
	seed         uint64
	out          string
	html         string
	sandbox      *sandboxing
	json         bool
	quiet        bool
	strict       bool // of a gate: what is undecided for want of time is no pass
	verbose      bool
	color        string
	flames       map[model.Benchmark][]model.Flame // of the page, where there is one
}

func (j *judging) register(fs *flag.FlagSet, budget, per time.Duration, minEffect float64) {
	fs.StringVar(&j.chdir, "C", "", "change to `dir` first")
	fs.StringVar(&j.bench, "bench", "", "benchmarks that match `regexp`, as for go test -bench; all without it")
	fs.BoolVar(&j.screen, "screen", true, "leave out benchmarks whose machine code is the same on both sides")
	spanFlag(fs, &j.budget, "budget", budget, "most `time` that the whole run may take, builds included")
	spanFlag(fs, &j.perBenchmark, "per-benchmark", per, "`time` of one benchmark in the first round; what is left of -budget goes to those that are open then")
	alphaFlag(fs, &j.alpha, "all claims of the run together")
	effectFlag(fs, &j.minEffect, minEffect, "smallest relative `slowdown` that counts")
	j.metrics = make(verdict.Directions)
	fs.Func("metric", "which way is better of what benchmarks report by b.ReportMetric: `UNIT:lower`, UNIT:higher or UNIT:ignore; may be repeated", func(s string) error {
		unit, better, err := verdict.ParseDirection(s)
		if err == nil {
			j.metrics[unit] = better
		}
		return err
	})
	spanFlag(fs, &j.timeout, "test-timeout", 10*time.Minute, "`time` that listing the benchmarks of one package may take")
	fs.Uint64Var(&j.seed, "seed", 0, "`seed` of the coin flips; 0 draws one")
	j.sandbox = registerSandbox(fs)
	fs.StringVar(&j.out, "o", "", "write the report as Markdown, JSON, HTML and benchmark samples into `dir`")
	fs.StringVar(&j.html, "html", "", "write the report as one HTML page into `file`")
	fs.BoolVar(&j.json, "json", false, "print JSON (docs/json.md) instead of a table")
	fs.BoolVar(&j.quiet, "q", false, "no progress on stderr")
	verboseFlag(fs, &j.verbose)
	colorFlag(fs, &j.color)
}

func (j *judging) options(e *env, v *verb, args, patterns []string) (compare.Options, *progress.Progress, error) {
	dir, err := changeDir(e, j.chdir)
	if err != nil {
		return compare.Options{}, nil, err
	}
	if len(patterns) > 0 {
		if dir, patterns, err = testbed.ModuleOf(dir, patterns); err != nil {
			return compare.Options{}, nil, err
		}
	}
	cache, err := cacheDir()
	if err != nil {
		return compare.Options{}, nil, err
	}
	opt := compare.Options{
		Verb: v.name, Args: args, Tool: version(), Dir: dir, Patterns: patterns, Bench: j.bench, Screen: j.screen,
		Budget: j.budget, PerBenchmark: j.perBenchmark, Alpha: j.alpha, MinEffect: j.minEffect, Metrics: j.metrics, Timeout: j.timeout,
		Seed: seed(j.seed), Env: e.environ, CacheDir: cache, Sandbox: j.sandbox.config(), Now: e.now,
	}
	if j.out != "" {
		opt.Out = foreign.Path(e.dir, j.out)
	}
	if j.html != "" { // before the work, which takes minutes
		directory := filepath.Dir(foreign.Path(e.dir, j.html))
		if st, err := os.Stat(directory); err != nil || !st.IsDir() {
			return compare.Options{}, nil, usageError("-html %s: there is no directory %s", j.html, directory)
		}
	}
	if j.out != "" || j.html != "" {
		j.flames = make(map[model.Benchmark][]model.Flame)
		opt.Graph = func(bm model.Benchmark, fs []model.Flame) { j.flames[bm] = fs }
	}
	p := newProgress(e, j.quiet, j.color, j.budget)
	if p != nil {
		opt.Watch = p
	}
	return opt, p, nil
}

func runCompare(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var j judging
	fs := v.flags()
	j.register(fs, 10*time.Minute, time.Minute, 0.02)
	load := registerLoad(fs)
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	if len(operands) < 2 {
		return 0, usageError("compare needs BASE and CANDIDATE; pawl help compare")
	}
	if load.command != "" && len(operands) > 2 {
		return 0, usageError("with -load there are two commands and no packages: put each command in quotes, as in 'server -addr {addr}'")
	}
	if load.command != "" && j.sandbox.config() != nil {
		return 0, j.sandbox.noLoad()
	}
	if err := load.only(fs); err != nil {
		return 0, err
	}
	opt, progress, err := j.options(e, v, args, operands[2:])
	if err != nil {
		return 0, err
	}
	defer progress.Done()
	opt.Base, opt.Candidate = operands[0], operands[1]
	var c *model.Comparison
	if load.command != "" {
		c, err = compare.Load(ctx, opt, load.options())
	} else {
		c, err = compare.Run(ctx, opt)
	}
	return j.finish(e, v, c, err, progress)
}

// finish shows what was found, also when the run then came to grief, and
// returns the exit code.
func (j *judging) finish(e *env, v *verb, c *model.Comparison, err error, progress *progress.Progress) (int, error) {
	progress.Done()
	if c == nil || err != nil && len(c.Benchmarks) == 0 && c.Load == nil {
		return 0, err
	}
	c = shared(e, c)
	if j.out != "" {
		if werr := writeOut(e, j.out, c, j.flames); werr != nil {
			return 0, werr
		}
	}
	if j.html != "" {
		if werr := writePage(e, "-html", foreign.Path(e.dir, j.html), c, j.flames); werr != nil {
			return 0, werr
		}
	}
	print := func() error { return comparison.Text(e.stdout, c, e.shown(j.color, j.verbose)) }
	if j.json {
		print = func() error { return comparison.JSON(e.stdout, c) }
	}
	if perr := print(); perr != nil {
		return 0, perr
	}
	if err != nil {
		return 0, err
	}
	if code := comparisonCode(c); code != exitUndecided || v.name != "gate" || j.strict || !onlyTime(c) {
		return code, nil
	}
	return exitOK, nil
}

// onlyTime reports whether all that a gate leaves open is the time of benchmarks whose
// allocations are known: a busy machine does that to a change that does nothing. A candidate
// that may hang is more than that, and so is a metric that repeats and has changed.
func onlyTime(c *model.Comparison) bool {
	changed := func(m model.Reported) bool { return m.Standing == model.Open && m.Exact && m.Before != m.After }
	untold := slices.ContainsFunc(c.Benchmarks, func(b model.Compared) bool {
		return b.Standing == model.Failed || b.Standing == model.Open && (b.Counts == nil || b.Ended || slices.ContainsFunc(b.Metrics, changed))
	})
	return !untold && c.Untold() == 0 && c.Count(model.OneSided) < len(c.Benchmarks)
}

// comparisonCode is the exit code of a comparison. A regression is one however
// much else is open; what is open is never passed over.
func comparisonCode(c *model.Comparison) int {
	regressed, open := c.Count(model.Regressed)+c.Broken(), c.Count(model.Open, model.Failed)+c.Untold()
	if c.Load != nil {
		switch c.Load.Standing {
		case model.Regressed:
			regressed++
		case model.Open, model.Failed:
			open++
		}
	}
	switch {
	case regressed > 0:
		return exitFindings
	case c.Stopped == "interrupted":
		return exitFailed
	case open > 0, c.Stopped == "budget", c.Load == nil && c.Count(model.OneSided) == len(c.Benchmarks):
		return exitUndecided // also when there was nothing that both sides have
	default:
		return exitOK
	}
}
