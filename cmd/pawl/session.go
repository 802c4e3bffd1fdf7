package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/loop"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
)

// settings are the flags that optimize, find and try share.
type settings struct {
	chdir     string
	bench     string
	budget    time.Duration
	perChange time.Duration
	alpha     float64
	minEffect float64
	timeout   time.Duration
	short     bool
	seed      uint64
	retry     bool
	sandbox   *sandboxing
	records   bool
	allow     kinds
	profiles  words
	minWorth  string
	json      bool
	quiet     bool
	color     string
}

func (s *settings) register(fs *flag.FlagSet) {
	fs.StringVar(&s.chdir, "C", "", "change to `dir` first")
	fs.StringVar(&s.bench, "bench", "", "benchmarks that match `regexp`, as for go test -bench; all without it")
	spanFlag(fs, &s.budget, "budget", 10*time.Minute, "`time` of the run, about: no change is begun after it, and what is not tried is listed")
	spanFlag(fs, &s.perChange, "per-change", 30*time.Second, "`time` of the duets of one change")
	alphaFlag(fs, &s.alpha, "all changes of the run together: that one is called faster or slower and is not; the comparison at the end has the same again")
	effectFlag(fs, &s.minEffect, 0.01, "smallest relative `gain` worth having; 0.03 at the least, which the layout of the code can make")
	spanFlag(fs, &s.timeout, "test-timeout", 10*time.Minute, "`time` that the tests of one package may take")
	fs.BoolVar(&s.short, "short", false, "run the tests with -short")
	fs.Uint64Var(&s.seed, "seed", 0, "`seed` of the coin flips; 0 draws one")
	fs.BoolVar(&s.retry, "retry", false, "try again, or list, what an earlier run refuted")
	s.sandbox = registerSandbox(fs)
	fs.BoolVar(&s.records, "records", false, "work on the benchmarks that the repository's records name (docs/records.md)")
	fs.Var(&s.profiles, "profile", "pprof `file` of the program at work, to say what a change is worth there; may be repeated")
	fs.StringVar(&s.minWorth, "min-worth", "", "refuse a change that saves less than this `part` of the production profile, like 0.1%")
	fs.Var(&s.allow, "allow", "let changes do what is refused without it: `kinds` with commas, "+allowable())
	fs.BoolVar(&s.json, "json", false, "print the run as JSON (docs/json.md) instead of a table")
	fs.BoolVar(&s.quiet, "q", false, "no progress on stderr")
	colorFlag(fs, &s.color)
}

// start parses the command line of a verb and says what the loop is to do.
// lead is how many operands stand before the packages; they are returned.
func (s *settings) start(e *env, v *verb, args []string, lead int) (opt loop.Options, leading []string, p *report.Progress, err error) {
	fs := v.flags(e)
	s.register(fs)
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return opt, nil, nil, err
	}
	if len(operands) < lead {
		return opt, nil, nil, usageError("%s needs %s; pawl help %s", v.name, strings.Fields(v.args)[0], v.name)
	}
	opt, p, err = s.options(e, v.name, args, operands[lead:])
	return opt, operands[:lead], p, err
}

// options turns flags and operands into what the loop takes.
func (s *settings) options(e *env, verb string, args, patterns []string) (loop.Options, *report.Progress, error) {
	dir, err := changeDir(e, s.chdir)
	if err != nil {
		return loop.Options{}, nil, err
	}
	dir, patterns, err = moduleOf(dir, patterns)
	if err != nil {
		return loop.Options{}, nil, err
	}
	cache, err := cacheDir()
	if err != nil {
		return loop.Options{}, nil, err
	}
	if patterns, err = s.recorded(dir, patterns); err != nil {
		return loop.Options{}, nil, err
	}
	production, least, err := s.production(e)
	if err != nil {
		return loop.Options{}, nil, err
	}
	p := newProgress(e, s.quiet, s.color, s.budget)
	return loop.Options{
		Production: production, MinWorth: least, Sandbox: s.sandbox.config(),
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
		return "", usageError("-C %s is not a folder", chdir)
	}
	return dir, nil
}

func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("looking for a folder for the copy: %w; set XDG_CACHE_HOME or HOME", err)
	}
	return dir, nil
}

// seed draws a seed where none was given.
func seed(given uint64) uint64 {
	if given != 0 {
		return given
	}
	return rand.Uint64()
}

// newProgress returns the progress line on stderr; nil, which shows nothing,
// when it is not wanted. A budget of 0 is none.
func newProgress(e *env, quiet bool, color string, budget time.Duration) *report.Progress {
	if quiet {
		return nil
	}
	p := report.NewProgress(e.stderr, e.errTTY, e.now, e.view(color, e.errTTY))
	if budget > 0 {
		p.Budget(e.now().Add(budget))
	}
	return p
}

// moduleOf lets folders of another module be named: when all patterns are
// paths below one other go.mod, pawl runs there.
func moduleOf(dir string, patterns []string) (string, []string, error) {
	here := modRoot(dir)
	var other string
	for _, p := range patterns {
		if !strings.HasPrefix(p, ".") && !filepath.IsAbs(p) {
			return dir, patterns, nil // an import path: of the module we are in
		}
		path := strings.TrimSuffix(p, "...")
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		fi, err := os.Stat(path)
		if err != nil {
			return "", nil, usageError("%s: %v", p, errors.Unwrap(err))
		}
		if !fi.IsDir() {
			return "", nil, usageError("%s is a file; name its folder", p)
		}
		root := modRoot(path)
		if other != "" && root != other {
			return "", nil, usageError("%s and %s are in different modules; run pawl once for each", patterns[0], p)
		}
		other = root
	}
	if other == "" || other == here {
		return dir, patterns, nil
	}
	moved := make([]string, len(patterns))
	for i, p := range patterns {
		abs := p
		if !filepath.IsAbs(p) {
			abs = filepath.Join(dir, p) // cleans the dots of "..." no further
		}
		rel, err := filepath.Rel(other, abs)
		if err != nil {
			return "", nil, err
		}
		moved[i] = "./" + filepath.ToSlash(rel)
	}
	return other, moved, nil
}

// modRoot returns the nearest folder at or above dir with a go.mod, or "".
func modRoot(dir string) string {
	for {
		if fi, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && fi.Mode().IsRegular() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// show prints the end of a run: as JSON, or as text by way of print.
func (s *settings) show(e *env, r *model.Run, print func(io.Writer, *model.Run, report.Options) error) error {
	r = shared(e, r)
	if s.json {
		return report.JSON(e.stdout, r)
	}
	return print(e.stdout, r, e.view(s.color, e.outTTY))
}

// prepare runs the stages up to the plan. The session is the caller's to
// close.
func prepare(ctx context.Context, opt loop.Options) (*loop.Session, []model.Change, error) {
	s, err := loop.Open(ctx, opt)
	if err != nil {
		return nil, nil, err
	}
	changes, err := s.Plan(ctx)
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return s, changes, nil
}
