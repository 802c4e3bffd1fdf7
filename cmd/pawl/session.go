package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/progress"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/run/optimize"
)

// settings are the flags that optimize, find and try share.
type settings struct {
	measuring
	chdir     string
	bench     string
	retry     bool
	proposing proposing // of optimize alone
	records   bool
	allow     kinds
	profiles  several
	minWorth  string
	json      bool
	verbose   bool
}

func (s *settings) register(fs *flag.FlagSet) {
	fs.StringVar(&s.chdir, "C", "", "change to `dir` first")
	fs.StringVar(&s.bench, "bench", "", "benchmarks that match `regexp`, as for go test -bench; all without it")
	spanFlag(fs, &s.budget, "budget", 10*time.Minute, "most `time` that the whole run may take, builds included; what that leaves untried is listed")
	alphaFlag(fs, &s.alpha, "all changes of the run together: that one is called faster or slower and is not; the comparison at the end has the same again")
	fs.BoolVar(&s.short, "short", false, "run the tests with -short")
	fs.BoolVar(&s.retry, "retry", false, "try again, or list, what an earlier run refuted")
	s.measuring.register(fs, 30*time.Second)
	fs.BoolVar(&s.records, "records", false, "work on the benchmarks that the repository's records name (docs/records.md)")
	fs.Var(&s.profiles, "profile", "pprof `file` of the program at work, or watch:SERVICE, to say what a change is worth there; may be repeated")
	fs.StringVar(&s.minWorth, "min-worth", "", "refuse a change that saves less than this `part` of the production profile, like 0.1%")
	fs.Var(&s.allow, "allow", "let changes do what is refused without it: `kinds` with commas, "+allowable())
	fs.BoolVar(&s.json, "json", false, "print the run as JSON (docs/json.md) instead of a table")
	verboseFlag(fs, &s.verbose)
}

// measuring are the flags of all verbs that try changes.
type measuring struct {
	budget    time.Duration
	perChange time.Duration
	alpha     float64
	minEffect float64
	timeout   time.Duration
	short     bool
	seed      uint64
	sandbox   *sandboxing
	quiet     bool
	color     string
}

// register declares those that are the same in each verb but for the time of a change.
func (m *measuring) register(fs *flag.FlagSet, perChange time.Duration) {
	spanFlag(fs, &m.perChange, "per-change", perChange, "`time` of the duets of one change")
	effectFlag(fs, &m.minEffect, 0.03, "smallest relative `gain` worth having; values below 0.03, which the layout of the code can make, are raised to it")
	spanFlag(fs, &m.timeout, "test-timeout", 10*time.Minute, "`time` that the tests of one package may take")
	fs.Uint64Var(&m.seed, "seed", 0, "`seed` of the coin flips; 0 draws one")
	m.sandbox = registerSandbox(fs)
	fs.BoolVar(&m.quiet, "q", false, "no progress on stderr")
	colorFlag(fs, &m.color)
}

// start parses the command line of a verb and says what the loop is to do.
// lead is how many operands stand before the packages; they are returned.
func (s *settings) start(ctx context.Context, e *env, v *verb, args []string, lead int) (opt optimize.Options, leading []string, p *progress.Progress, err error) {
	operands, err := v.read(e, s.register, args)
	if err != nil {
		return opt, nil, nil, err
	}
	if len(operands) < lead {
		return opt, nil, nil, usageError("%s needs %s; pawl help %s", v.name, strings.Fields(v.args)[0], v.name)
	}
	opt, p, err = s.options(ctx, e, v.name, args, operands[lead:])
	return opt, operands[:lead], p, err
}

// options turns flags and operands into what the loop takes.
func (s *settings) options(ctx context.Context, e *env, verb string, args, patterns []string) (optimize.Options, *progress.Progress, error) {
	dir, err := changeDir(e, s.chdir)
	if err != nil {
		return optimize.Options{}, nil, err
	}
	dir, patterns, err = testbed.ModuleOf(dir, patterns)
	if err != nil {
		return optimize.Options{}, nil, err
	}
	cache, err := cacheDir()
	if err != nil {
		return optimize.Options{}, nil, err
	}
	if patterns, err = s.recorded(dir, patterns); err != nil {
		return optimize.Options{}, nil, err
	}
	production, least, err := s.production(ctx, e)
	if err != nil {
		return optimize.Options{}, nil, err
	}
	if len(s.proposing.commands) > 0 && *s.sandbox == sandboxNone {
		*s.sandbox = sandboxOn
	}
	p := newProgress(e, s.quiet, s.color, s.budget)
	return optimize.Options{
		Production: production, MinWorth: least, Sandbox: s.sandbox.config(), Outsiders: s.proposing.outsiders(e),
		Verb: verb, Args: args, Tool: version(), Dir: dir, From: e.dir, Patterns: patterns, Bench: s.bench,
		Budget: s.budget, PerChange: s.perChange, Alpha: s.alpha, MinEffect: s.minEffect,
		Timeout: s.timeout, Short: s.short, Retry: s.retry, Allow: s.allow, Seed: seed(s.seed), Env: e.environ, CacheDir: cache, Watch: p,
	}, p, nil
}

// changeDir is what -C does.
func changeDir(e *env, chdir string) (string, error) {
	if chdir == "" {
		return e.dir, nil
	}
	dir := chdir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(e.dir, chdir)
	}
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		return "", usageError("-C %s is not a directory", chdir)
	}
	return dir, nil
}

func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("looking for a directory for the copy: %w; set XDG_CACHE_HOME or HOME", err)
	}
	return dir, nil
}

func seed(given uint64) uint64 {
	if given != 0 {
		return given
	}
	return rand.Uint64()
}

// newProgress returns the progress line on stderr; nil, which shows nothing,
// when it is not wanted. A budget of 0 is none.
func newProgress(e *env, quiet bool, color string, budget time.Duration) *progress.Progress {
	if quiet {
		return nil
	}
	p := progress.New(e.stderr, e.errTTY, e.now, e.view(color, e.errTTY))
	if budget > 0 {
		p.Budget(e.now().Add(budget))
	}
	return p
}

// show prints the end of a run: as JSON, or as text by way of print.
func (s *settings) show(e *env, r *model.Run, print func(io.Writer, *model.Run, sheet.Options) error) error {
	r = shared(e, r)
	if s.json {
		return data.JSON(e.stdout, r)
	}
	return print(e.stdout, r, e.shown(s.color, s.verbose))
}
