package observe

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// The files of the observer. They have another ending here so that they are
// part of no package of pawl's.
//
//go:embed hook/observe.go.txt
var observerSource []byte

//go:embed hook/exit.go.txt
var exitSource []byte

// mainSource joins the main package. Its name puts it before the others.
const (
	mainSource = "package main\n\nimport _ \"runtime/coverage\"\n"
	mainName   = "000pawlobserve.go"
	// noExitSource is for a Go without hooks at the end of a program: one that ends
	// before its time leaves what was written by then.
	noExitSource = "package coverage\n\nfunc pawlAtExit(func()) {}\n"
)

// slack is how much longer than asked for a program is waited for: it may be
// long in coming to its first line, and profiles take a while to write.
const slack = 30 * time.Second

// Program builds a main package with the observer in it and runs it with args
// until it ends by itself, or until the time is over. The directory of the
// package is not written to.
func (s *Site) Program(ctx context.Context, target string, p gocmd.Package, args []string) (*Result, error) {
	dir, err := s.directory()
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(dir, "bin", path.Base(p.ImportPath)+s.g.Vars["GOEXE"]) // ps shows it
	s.c.say("building %s", target)
	if err := s.build(ctx, p, bin, dir); err != nil {
		return nil, err
	}
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(out, 0o700); err != nil {
		return nil, fmt.Errorf("making a directory for profiles: %w", err)
	}
	s.c.say("running %s for %s at most; its output follows", commandLine(target, args), s.c.For)
	c, err := startChild(ctx, s.g.Meter, gocmd.Proc{
		Path: bin, Args: args, Dir: s.c.From, Stdin: s.c.Stdin, Stdout: s.c.Output, Stderr: s.c.Output,
		Env: s.c.environment("PAWL_OBSERVE="+out, "PAWL_OBSERVE_FOR="+s.c.For.String()),
	})
	if err != nil {
		return nil, err
	}
	r := &Result{Observed: model.Observed{Form: "program", Target: commandLine(target, args)}}
	c.watch(ctx, out, s.c.For)
	byItself := c.end()
	c.into(&r.Observed, byItself, ctx)
	s.c.say("%s", r.Ended)
	if byItself && r.Code != 0 {
		r.Warnings = append(r.Warnings, s.ownProfiles(ctx, p)...)
	}
	return r, r.collect(dir, out)
}

// watch waits until the observer has written all; when ctx ends, it is asked
// to at once.
func (c *child) watch(ctx context.Context, out string, window time.Duration) {
	whole := func() bool { return gocmd.IsFile(filepath.Join(out, "done")) }
	c.wait(ctx, window+slack, whole)
	if gocmd.IsFile(filepath.Join(out, "exit")) { // it is about to end by itself
		c.wait(ctx, grace, func() bool { return false })
	}
	if ctx.Err() != nil && !c.ended() && gocmd.IsFile(filepath.Join(out, "begun")) {
		if err := os.WriteFile(filepath.Join(out, "stop"), nil, 0o600); err == nil {
			c.wait(context.WithoutCancel(ctx), grace, whole)
		}
	}
}

func (s *Site) build(ctx context.Context, p gocmd.Package, bin, dir string) error {
	if rel, err := filepath.Rel(s.g.Vars["GOMODCACHE"], p.Dir); err == nil && filepath.IsLocal(rel) {
		return &PackageError{fmt.Sprintf("%s is in the module cache, where the go command adds nothing to packages; clone its repository and run pawl there, or build it and name the command: pawl diagnose -- PROGRAM", p.ImportPath)}
	}
	layer := gocmd.Layer{Dir: dir}
	std := filepath.Join(s.g.Vars["GOROOT"], "src")
	host, exit := filepath.Join(std, "runtime", "coverage"), exitSource
	if !gocmd.IsFile(filepath.Join(std, "internal", "runtime", "exithook", "hooks.go")) {
		exit = []byte(noExitSource)
	}
	err := errors.Join(
		layer.Put(filepath.Join(p.Dir, mainName), []byte(mainSource)),
		layer.Put(filepath.Join(host, "pawlobserve.go"), observerSource),
		layer.Put(filepath.Join(host, "pawlexit.go"), exit))
	if err != nil {
		return fmt.Errorf("writing the observer: %w", err)
	}
	undo, err := s.g.ExtendOverlay(filepath.Join(dir, "overlay.json"), layer.Replace)
	if err != nil {
		return err
	}
	defer undo()
	if err := s.g.BuildProgram(ctx, p.ImportPath, bin, gocmd.BuildOpts{Overlay: true}); err != nil {
		return fmt.Errorf("building %s: %w", p.ImportPath, err)
	}
	return nil
}

// collect takes what the observer has left.
func (r *Result) collect(dir, out string) error {
	pieces, _ := filepath.Glob(filepath.Join(out, "cpu*"))
	for _, kind := range []string{"cpu", "heap", "goroutine", "mutex", "block"} {
		files := pieces
		if kind != "cpu" {
			files = r.lastOf(out, kind)
		}
		if len(files) == 0 {
			continue
		}
		to := filepath.Join(dir, kind+".pprof")
		some, err := join(to, ofObserver, files...)
		switch {
		case err != nil:
			return err
		case some:
			r.Profiles = append(r.Profiles, to)
		case kind != "goroutine": // where the program has ended, the last one wrote it
			r.nothing(kind)
		}
	}
	if from := filepath.Join(out, "trace"); gocmd.IsFile(from) {
		r.Trace = filepath.Join(dir, "trace.out")
		if err := stash(from, r.Trace); err != nil {
			return err
		}
	} else if shorter := int(r.Seconds * 2 / 3); shorter > 0 && !r.Interrupted && gocmd.IsFile(filepath.Join(out, "done")) {
		r.Warnings = append(r.Warnings, model.Warning{
			Seen:  "there is no execution trace",
			Cause: "it is taken at the end of the time of observation, and the program ended before",
			Try:   fmt.Sprintf("-seconds %d", shorter),
		})
	}
	if from := filepath.Join(out, "half-heap"); gocmd.IsFile(from) {
		base := filepath.Join(dir, "heap-base.pprof")
		some, err := join(base, ofObserver, from) // as that of the end, which it is there to be compared with
		switch {
		case err != nil:
			return err
		case some:
			r.More = append(r.More, base)
		}
	}
	return r.notes(out, len(pieces) > 0)
}

// nothing notes that a profile has no samples.
func (r *Result) nothing(kind string) {
	if kind != "cpu" {
		r.Empty = append(r.Empty, kind)
		return
	}
	r.Warnings = append(r.Warnings, model.Warning{
		Seen:  "the CPU profile has no samples",
		Cause: "it ended at once, or only waited: there is a sample for each 10 ms of CPU time",
		Try:   "give it more to do while it is observed: a larger input, or load",
	})
}

// lastOf returns the file of a kind: that of the end, or of the middle.
func (r *Result) lastOf(out, kind string) []string {
	for _, name := range []string{kind, "half-" + kind} {
		if file := filepath.Join(out, name); gocmd.IsFile(file) {
			return []string{file}
		}
	}
	return nil
}

// notes turns what the observer says about itself into warnings.
func (r *Result) notes(out string, cpu bool) error {
	if !gocmd.IsFile(filepath.Join(out, "begun")) && len(r.Profiles)+len(r.Empty) == 0 {
		if r.Interrupted {
			return context.Canceled
		}
		return fmt.Errorf("%s left no profile (%s): it ended, or became another program, before its first line", r.Target, r.Ended)
	}
	if !gocmd.IsFile(filepath.Join(out, "done")) {
		r.Warnings = append(r.Warnings, model.Warning{
			Seen:  "the program did not come to write its profiles: what follows was taken before, as far as there is any",
			Cause: "it crashed, was killed, became another program, or ended by syscall.Exit",
			Try:   "a smaller -seconds, so that the profiles are written before that",
		})
	}
	data, err := os.ReadFile(filepath.Join(out, "notes"))
	if err != nil {
		return nil // there were none
	}
	for line := range strings.Lines(string(data)) {
		what, why, _ := strings.Cut(strings.TrimSpace(line), ": ")
		w := model.Warning{Seen: fmt.Sprintf("no %s profile: %s", what, why)}
		if what == "cpu" {
			w.Cause = "the program takes one of its own, and there can be one at a time"
			w.Try = "run it without, or give pawl diagnose the file that it writes"
			if cpu {
				w.Seen = "a part of the CPU profile is missing: " + why
			}
		}
		if !slices.Contains(r.Warnings, w) {
			r.Warnings = append(r.Warnings, w)
		}
	}
	return nil
}

// startsProfile finds calls that want the one CPU profile for themselves.
var startsProfile = regexp.MustCompile(`(?m)^[^/\n]*\.StartCPUProfile\(`)

// ownProfiles warns of code that takes CPU profiles by itself: its call fails
// while pawl takes one, and some programs end for that.
func (s *Site) ownProfiles(ctx context.Context, p gocmd.Package) []model.Warning {
	if ctx.Err() != nil || len(p.Deps) > 0 && !slices.Contains(p.Deps, "runtime/pprof") {
		return nil
	}
	pkgs, err := s.g.List(ctx, "-deps", p.ImportPath)
	if err != nil {
		return nil // it was built: this is an extra
	}
	for _, d := range pkgs {
		if d.Standard && d.Dir != p.Dir || !slices.Contains(d.Imports, "runtime/pprof") {
			continue
		}
		for _, name := range d.GoFiles {
			src, err := os.ReadFile(filepath.Join(d.Dir, name))
			if err == nil && startsProfile.Match(src) {
				return []model.Warning{{
					Seen:  fmt.Sprintf("%s of %s can start a CPU profile, which fails while pawl takes one", name, d.ImportPath),
					Cause: "there can be one at a time, and pawl's begins first",
					Try:   "run the program without its own, or give pawl diagnose the file that it writes",
				}}
			}
		}
	}
	return nil
}
