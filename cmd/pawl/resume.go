package main

import (
	"context"
	"flag"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/report/progress"
	"github.com/pawl-dev/pawl/internal/run/optimize"
)

// startOptimize parses the command line of optimize. With -resume it is put on
// top of that of the run to go on with.
func startOptimize(ctx context.Context, e *env, v *verb, args []string) (*settings, optimize.Options, *progress.Progress, error) {
	set, resume := new(settings), false
	fs := v.flags()
	set.registerOptimize(fs, &resume)
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return nil, optimize.Options{}, nil, err
	}
	if resume {
		return resumeOptimize(ctx, e, v, args, operands)
	}
	opt, p, err := set.options(ctx, e, v.name, args, operands)
	return set, opt, p, err
}

func (s *settings) registerOptimize(fs *flag.FlagSet, resume *bool) {
	s.register(fs)
	s.proposing.register(fs)
	fs.BoolVar(resume, "resume", false, "go on with the newest run that has not come to its end, or with the run that is named")
}

// resumeOptimize makes the settings and options of a run that goes on.
func resumeOptimize(ctx context.Context, e *env, v *verb, args, operands []string) (*settings, optimize.Options, *progress.Progress, error) {
	fail := func(err error) (*settings, optimize.Options, *progress.Progress, error) {
		return nil, optimize.Options{}, nil, err
	}
	if len(operands) > 1 {
		return fail(usageError("-resume takes one run at most; the packages are those that the run began with"))
	}
	given, err := v.flagsIn(e, args)
	if err != nil {
		return fail(err)
	}
	dir, err := changeDir(e, last(given["C"]))
	if err != nil {
		return fail(err)
	}
	if run := last(operands); strings.HasPrefix(run, ".") || filepath.IsAbs(run) { // a directory, as the run may have begun with
		if dir, _, err = testbed.ModuleOf(dir, operands); err != nil {
			return fail(err)
		}
		operands = nil
	}
	cache, err := cacheDir()
	if err != nil {
		return fail(err)
	}
	past, err := optimize.Unfinished(ctx, dir, cache, last(operands))
	if err != nil {
		return fail(err)
	}
	set, err := v.settingsOf(e, past.Args, given, args)
	if err != nil {
		return fail(err)
	}
	if given["budget"] == nil {
		if set.budget, err = optimize.Left(past, set.budget); err != nil {
			return fail(err)
		}
	}
	command, err := v.goingOn(e, past.Args, given)
	if err != nil {
		return fail(err)
	}
	opt, p, err := set.options(ctx, e, v.name, command, nil)
	if err == nil {
		err = optimize.Continue(ctx, &opt, past)
	}
	return set, opt, p, err
}

// settingsOf returns the settings of an earlier command line, with those of a
// later one, whose flags are given, in their place.
func (v *verb) settingsOf(e *env, earlier []string, given map[string][]string, later []string) (*settings, error) {
	set, resume := new(settings), false
	fs := v.flags()
	set.registerOptimize(fs, &resume)
	taken, err := v.flagsIn(e, earlier)
	if err != nil {
		return nil, err
	}
	for name, values := range taken {
		if given[name] != nil || name == "C" { // the directory is the run's own
			continue
		}
		for _, value := range values {
			if err := fs.Set(name, value); err != nil {
				return nil, usageError("-%s %s of the run to go on with: %v", name, value, err)
			}
		}
	}
	_, err = v.parse(e, fs, later)
	return set, err
}

// goingOn returns the command line of a run that goes on: that of its beginning,
// with the flags that are given anew in the place of those.
func (v *verb) goingOn(e *env, earlier []string, given map[string][]string) ([]string, error) {
	fs := v.flags()
	new(settings).registerOptimize(fs, new(bool))
	taken, err := v.flagsIn(e, earlier)
	if err != nil {
		return nil, err
	}
	operands, err := v.parse(e, fs, earlier)
	if err != nil {
		return nil, err
	}
	for name, values := range given {
		if name != "C" && name != "resume" {
			taken[name] = values
		}
	}
	var args []string
	for _, name := range slices.Sorted(maps.Keys(taken)) {
		for _, value := range taken[name] {
			if n := (&noter{is: fs.Lookup(name).Value}); n.IsBoolFlag() {
				args = append(args, "-"+name+"="+value)
			} else {
				args = append(args, "-"+name, value)
			}
		}
	}
	return append(args, operands...), nil
}

// flagsIn returns the values of the flags that a command line of optimize sets,
// in order.
func (v *verb) flagsIn(e *env, args []string) (map[string][]string, error) {
	known, noted := v.flags(), v.flags()
	new(settings).registerOptimize(known, new(bool))
	values := make(map[string][]string)
	known.VisitAll(func(f *flag.Flag) {
		noted.Var(&noter{name: f.Name, to: values, is: f.Value}, f.Name, f.Usage)
	})
	_, err := v.parse(e, noted, args)
	return values, err
}

// A noter is a flag that notes what it is set to.
type noter struct {
	name string
	to   map[string][]string
	is   flag.Value
}

func (n *noter) String() string { return "" }

func (n *noter) Set(value string) error {
	n.to[n.name] = append(n.to[n.name], value)
	return nil
}

func (n *noter) IsBoolFlag() bool {
	b, ok := n.is.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}
