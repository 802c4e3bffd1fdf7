package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/diagnose"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/observe"
	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/trace"
	"github.com/pawl-dev/pawl/internal/tree"
)

// How long a run is observed when nobody says, and at most.
const (
	usualWindow   = 10 * time.Second
	longestWindow = 600 * time.Second
)

// A targeting finds out what the targets of diagnose are, and gets what there
// is to be read of each.
type targeting struct {
	e       *env
	seconds int
	bench   string
	keep    string
	line    []string // what follows "--"
	dashes  bool     // it was there
	others  bool     // metrics are read besides

	files, urls, packages []string
	got                   gathered
}

// What was gathered of all targets.
type gathered struct {
	sources     []diagnose.Source
	answers     []answered // of URLs
	observed    []model.Observed
	traces      []*model.Trace
	args        []string
	interrupted bool
	missing     []error // of URLs that gave nothing, where others did
}

// splitCommand divides the command line at the first "--".
func splitCommand(args []string) (before, line []string, dashes bool) {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:], true
	}
	return args, nil, false
}

func (t *targeting) register(fs *flag.FlagSet) {
	fs.StringVar(&t.bench, "bench", "", "of a package, run the benchmarks that match `regexp`; all without it")
	fs.StringVar(&t.keep, "keep", "", "leave the profiles and the trace of a run in `dir`")
}

// gather reads all targets. The order of reading is that of how long it takes.
func (t *targeting) gather(ctx context.Context, targets []string) (*gathered, error) {
	if err := t.sort(targets); err != nil {
		return nil, err
	}
	for _, name := range t.files {
		if err := t.readFile(ctx, name); err != nil {
			return nil, err
		}
	}
	if !t.dashes {
		if err := t.readURLs(ctx); err != nil {
			return nil, err
		}
	}
	if len(t.packages) == 0 && !t.dashes {
		return &t.got, nil
	}
	scratch, err := gocmd.NewScratch("", "diagnose")
	if err != nil {
		return nil, err
	}
	defer scratch.Remove()
	if len(t.packages) > 0 {
		err = t.observePackages(ctx, scratch.Dir)
	} else {
		err = t.observeCommand(ctx, scratch.Dir)
	}
	return &t.got, err
}

// sort says which target is what, and what does not go together.
func (t *targeting) sort(targets []string) error {
	for _, name := range targets {
		kind, err := t.kindOf(name)
		if err != nil {
			return err
		}
		if fi, err := os.Stat(within(t.e.dir, name)); kind == &t.packages && err == nil && fi.IsDir() && filepath.IsLocal(name) && name[0] != '.' {
			name = "./" + name // a folder that is there, and no import path
		}
		*kind = append(*kind, name)
	}
	switch {
	case t.seconds > int(longestWindow/time.Second):
		return usageError("%d seconds is not between 1 and %d", t.seconds, longestWindow/time.Second)
	case t.dashes && len(t.packages) == 0 && len(t.line) == 0:
		return usageError("there is no command after --")
	case t.dashes && len(t.packages) > 1:
		return usageError("what follows -- are the arguments of one main package, and there are %d packages", len(t.packages))
	case t.dashes && t.bench != "":
		return usageError("-bench is for the benchmarks of a package, and -- for what a main package or a command is run with: give one of them")
	case len(t.urls) > 0 && len(t.packages) > 0:
		return usageError("packages are profiled from inside, and a program has one CPU profile at a time: leave out the URL, or run the program as a command (--)")
	case t.bench != "" && len(t.packages) == 0:
		return usageError("-bench needs a package")
	case t.keep != "" && len(t.packages) == 0:
		return usageError("-keep needs a package: only then pawl takes profiles that are not in files")
	}
	return stand.CheckPattern(t.bench)
}

// kindOf returns the list that a target belongs to: a URL, a file that is
// there, a folder or what looks like an import path or a pattern.
func (t *targeting) kindOf(name string) (*[]string, error) {
	switch {
	case diagnose.IsURL(name):
		return &t.urls, nil
	case name == "":
		return nil, usageError("a TARGET is empty: is a variable of the shell not set?")
	}
	fi, err := os.Stat(within(t.e.dir, name))
	switch {
	case err == nil && fi.IsDir(), strings.Contains(name, "..."):
		return &t.packages, nil
	case err == nil:
		return &t.files, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, usageError("%v", err)
	}
	first, _, slash := strings.Cut(name, "/")
	if strings.Contains(first, ":") { // which no import path has
		return nil, usageError("%s: no such file; if it is a URL, begin it with http:// or https://", name)
	}
	path := slash && first != "" && first != "." && first != ".."
	if !path || slices.Contains([]string{".pprof", ".prof", ".out", ".pb", ".gz", ".trace"}, filepath.Ext(name)) {
		return nil, usageError("%s: no such file or package; name a pprof file, an execution trace, a package, or a URL that contains /debug/pprof", name)
	}
	return &t.packages, nil
}

// readFile reads a profile or an execution trace, whichever it is.
func (t *targeting) readFile(ctx context.Context, name string) error {
	t.got.args = append(t.got.args, name)
	if isTrace(within(t.e.dir, name)) {
		return t.readTrace(ctx, name, name)
	}
	s, err := readTarget(ctx, t.e, name, t.seconds)
	if err != nil {
		return misused(err)
	}
	t.got.sources = append(t.got.sources, s)
	return nil
}

func isTrace(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, trace.HeadLen)
	n, _ := io.ReadFull(f, head)
	return trace.Is(head[:n])
}

// readTrace reads a trace; label is what it is called in the report.
func (t *targeting) readTrace(ctx context.Context, name, label string) error {
	res, err := readTrace(ctx, t.e, name)
	if err != nil {
		return err
	}
	t.got.traces = append(t.got.traces, res.Summary(version(), label))
	t.got.interrupted = t.got.interrupted || res.Interrupted()
	return nil
}

// readURLs reads what the URLs give. That one of several gives nothing, as a
// program may serve some profiles only, is no reason not to say what the others
// show. A URL that cannot be one is an error before any is asked.
func (t *targeting) readURLs(ctx context.Context) error {
	for _, url := range t.urls {
		if _, err := diagnose.Asked(url, t.seconds); err != nil {
			return misused(err)
		}
	}
	for _, url := range t.urls {
		if err := t.readURL(ctx, url); ctx.Err() != nil {
			return err
		} else if err != nil {
			t.got.missing = append(t.got.missing, err)
		}
	}
	if len(t.got.missing) > 0 && len(t.got.sources)+len(t.got.traces) == 0 && !t.others {
		return t.got.missing[0]
	}
	return nil
}

func (t *targeting) readURL(ctx context.Context, url string) error {
	if diagnose.IsTraceURL(url) {
		asked, err := diagnose.Asked(url, t.seconds)
		if err != nil {
			return misused(err)
		}
		t.e.printf("pawl: asking %s\n", asked)
		return t.fetchTrace(ctx, url, t.seconds)
	}
	s, err := readTarget(ctx, t.e, url, t.seconds)
	if err != nil {
		return misused(err)
	}
	t.asked(url, s)
	return nil
}

func (t *targeting) asked(url string, s diagnose.Source) {
	t.got.sources = append(t.got.sources, s)
	t.got.answers = append(t.got.answers, answered{url, s})
	t.got.args = append(t.got.args, s.Name)
}

// misused makes a matter of usage of what is one.
func misused(err error) error {
	var misuse *diagnose.Misuse
	var pkg *observe.PackageError
	var cmd *observe.CommandError
	switch {
	case errors.As(err, &misuse), errors.As(err, &pkg), errors.As(err, &cmd), errors.Is(err, observe.ErrNoBenchmark):
		return usageError("%v", err)
	}
	return err
}

// config says how runs are observed.
func (t *targeting) config(dir, scratch string) observe.Config {
	window := usualWindow
	if t.seconds > 0 {
		window = time.Duration(t.seconds) * time.Second
	}
	c := observe.Config{
		Dir: dir, From: t.e.dir, Env: t.e.environ, Scratch: scratch, For: window, Output: t.e.programs,
		Say: func(text string) { t.e.printf("pawl: %s\n", text) },
	}
	// A program that runs in a group of its own must not read from a terminal: the
	// system would stop it.
	if !isTerminal(os.Stdin) {
		c.Stdin = os.Stdin
	}
	return c
}

// observePackages runs a main package, or the benchmarks of packages.
func (t *targeting) observePackages(ctx context.Context, scratch string) error {
	label := strings.Join(t.packages, " ")
	dir, patterns, err := moduleOf(t.e.dir, t.packages)
	if err != nil {
		return err
	}
	site, err := observe.Open(ctx, t.config(dir, scratch))
	if err != nil {
		return err
	}
	pkgs, err := site.Packages(ctx, patterns...)
	if err != nil {
		// Packages of the standard library need no module.
		if _, none := tree.Locate(ctx, dir); none != nil && ctx.Err() == nil {
			return fmt.Errorf("%w: %w", stand.ErrNothing, none)
		}
		return misused(err)
	}
	if label == "." && len(pkgs) == 1 {
		label = pkgs[0].ImportPath // which says more
	}
	r, err := t.run(ctx, site, label, pkgs)
	if err != nil {
		return misused(err)
	}
	return t.take(ctx, label, r)
}

// run decides between a run of the program and its benchmarks.
func (t *targeting) run(ctx context.Context, site *observe.Site, label string, pkgs []gocmd.Package) (*observe.Result, error) {
	main := len(pkgs) == 1 && pkgs[0].Name == "main"
	switch {
	case t.dashes && !main:
		return nil, stand.Usage(label + " is not one main package: what follows -- are the arguments of one, or without a package a command")
	case main && t.bench == "":
		return site.Program(ctx, label, pkgs[0], t.line)
	}
	return site.Benchmarks(ctx, label, pkgs, t.bench)
}

// take reads what a run has left. An interruption has ended the run, and is no
// reason not to say what it showed.
func (t *targeting) take(ctx context.Context, label string, r *observe.Result) error {
	ctx = context.WithoutCancel(ctx)
	t.got.args = append(t.got.args, r.Target)
	t.got.observed = append(t.got.observed, r.Observed)
	t.got.interrupted = t.got.interrupted || r.Interrupted
	for _, name := range r.Profiles {
		s, err := diagnose.Read(ctx, name, 0)
		if err != nil {
			return err
		}
		s.Name = label
		t.got.sources = append(t.got.sources, s)
	}
	if r.Trace != "" {
		if err := t.readTrace(ctx, r.Trace, label); err != nil {
			last := &t.got.observed[len(t.got.observed)-1]
			last.Warnings = append(last.Warnings, model.Warning{Seen: "the execution trace cannot be read: " + err.Error(), Try: "pawl diagnose -keep DIR keeps it for a closer look"})
		}
	}
	return t.copyTo(r)
}

// copyTo leaves the files of a run where the user wants them.
func (t *targeting) copyTo(r *observe.Result) error {
	if t.keep == "" {
		return nil
	}
	dir := within(t.e.dir, t.keep)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return usageError("-keep: %v", err)
	}
	for _, name := range slices.Concat(r.Profiles, r.More, []string{r.Trace}) {
		if name == "" {
			continue
		}
		data, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o666)
		}
		if err != nil {
			return fmt.Errorf("keeping a profile: %w", err)
		}
	}
	t.e.printf("pawl: the profiles are in %s\n", t.keep)
	return nil
}
