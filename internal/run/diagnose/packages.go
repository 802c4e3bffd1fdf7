package diagnose

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/observe"
	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

// How long a run is observed when nobody says, and at most.
const (
	usualWindow   = 10 * time.Second
	longestWindow = 600 * time.Second
)

// config says how runs are observed.
func (w *work) config(dir, scratch string) observe.Config {
	window := usualWindow
	if w.Seconds > 0 {
		window = time.Duration(w.Seconds) * time.Second
	}
	return observe.Config{
		Dir: dir, From: w.Dir, Env: w.Env, Scratch: scratch, For: window,
		Stdin: w.Stdin, Output: w.Programs, Say: w.Say,
	}
}

// observePackages runs a main package, or the benchmarks of packages.
func (w *work) observePackages(ctx context.Context, scratch string) error {
	label := strings.Join(w.packages, " ")
	dir, patterns, err := testbed.ModuleOf(w.Dir, w.packages)
	if err != nil {
		return err
	}
	site, err := observe.Open(ctx, w.config(dir, scratch))
	if err != nil {
		return err
	}
	pkgs, err := site.Packages(ctx, patterns...)
	if err != nil {
		// Packages of the standard library need no module.
		if _, none := tree.Locate(ctx, dir); none != nil && ctx.Err() == nil {
			return fmt.Errorf("%w: %w", testbed.ErrNothing, none)
		}
		return misused(err)
	}
	if label == "." && len(pkgs) == 1 {
		label = pkgs[0].ImportPath // which says more
	}
	r, err := w.run(ctx, site, label, pkgs)
	if err != nil {
		return misused(err)
	}
	return w.take(ctx, label, r)
}

// run decides between a run of the program and its benchmarks.
func (w *work) run(ctx context.Context, site *observe.Site, label string, pkgs []gocmd.Package) (*observe.Result, error) {
	main := len(pkgs) == 1 && pkgs[0].Name == "main"
	switch {
	case w.Dashes && !main:
		return nil, testbed.Usage(label + " is not one main package: what follows -- are the arguments of one, or without a package a command")
	case main && w.Bench == "":
		return site.Program(ctx, label, pkgs[0], w.Line)
	}
	return site.Benchmarks(ctx, label, pkgs, w.Bench)
}

// take reads what a run has left. An interruption has ended the run, and is no
// reason not to say what it showed.
func (w *work) take(ctx context.Context, label string, r *observe.Result) error {
	ctx = context.WithoutCancel(ctx)
	w.got.args = append(w.got.args, r.Target)
	w.got.observed = append(w.got.observed, r.Observed)
	w.got.interrupted = w.got.interrupted || r.Interrupted
	for _, name := range r.Profiles {
		s, err := target.Read(ctx, name, 0)
		if err != nil {
			return err
		}
		s.Name = label
		w.got.sources = append(w.got.sources, s)
	}
	if r.Trace != "" {
		if err := w.readTrace(ctx, r.Trace, label); err != nil {
			last := &w.got.observed[len(w.got.observed)-1]
			last.Warnings = append(last.Warnings, model.Warning{Seen: "the execution trace cannot be read: " + err.Error(), Try: "pawl diagnose -keep DIR keeps it for a closer look"})
		}
	}
	return w.copyTo(r)
}

func (w *work) copyTo(r *observe.Result) error {
	if w.Keep == "" {
		return nil
	}
	dir := w.file(w.Keep)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return testbed.Usagef("-keep: %v", err)
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
	w.say("the profiles are in %s", w.Keep)
	return nil
}
