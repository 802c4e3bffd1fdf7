package diagnose

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/diagnose"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Options are what is asked for, and what of the world is seen.
type Options struct {
	Targets []string // files, URLs and packages
	Dashes  bool     // there was a "--"
	Line    []string // what follows it
	Seconds int      // of a run or a profile; 0 is what is usual
	Own     string   // import path of the program's own code, or its beginning
	Bench   string   // of packages, the benchmarks that match it
	Keep    string   // a directory for the profiles of a run; "" for none

	Files map[string]string // where targets are whose names are not those of their files

	Base []string // profiles of the program before
	Ops  string   // "OLD,NEW": operations on each side of a comparison; "" for none
	Per  string   // what figures of a comparison are divided by: share or second

	Points  int           // how many profiles show growth; 0 where it is not looked for
	Every   time.Duration // between two of them; 0 is what is usual
	Metrics bool          // read what a URL's program has beside it
	PID     int           // of that program; 0 looks for it
	Flames  bool          // flame graphs are wanted

	Tool     string // pawl's version
	Dir      string // where targets are looked for
	Env      []string
	Stdin    *os.File     // of programs; nil is nothing
	Programs io.Writer    // gets what programs print
	Say      func(string) // is told what is being done
}

// A Found is what targets show.
type Found struct {
	Diagnosis *model.Diagnosis
	Flames    map[string][]model.Flame // by the kind of profile
	// Part is set where something that was asked for is missing: a URL gave
	// nothing, or the run was interrupted.
	Part bool
}

// Run reads and runs what the targets name, and says what they show. The error
// is a *testbed.UsageError for targets and options that do not fit each other.
func Run(ctx context.Context, o Options) (*Found, error) {
	if o.Seconds < 0 {
		return nil, testbed.Usagef("-seconds %d is below zero", o.Seconds)
	}
	per, err := o.division()
	if err != nil {
		return nil, err
	}
	w := &work{Options: o, look: diagnose.Options{Own: o.Own, Per: per}}
	if yes, err := w.growing(); err != nil {
		return nil, err
	} else if yes {
		d, last, err := w.watch(ctx)
		if err != nil {
			return nil, err
		}
		return w.found(d, nil, []profile.Source{last}, false)
	}
	return w.all(ctx)
}

// A work is one diagnosis being made.
type work struct {
	Options
	look   diagnose.Options
	others bool // metrics are read besides

	files, urls, packages []string // the targets by what they are
	got                   gathered
}

// say tells what is being done.
func (w *work) say(format string, args ...any) { w.Say(fmt.Sprintf(format, args...)) }

// all reads the targets, and metrics meanwhile, and says what they show.
func (w *work) all(ctx context.Context) (*Found, error) {
	if w.Dashes && (w.Metrics || slices.ContainsFunc(w.Targets, isMetrics)) {
		return nil, testbed.Usage("metrics are read from a program that runs already: leave -- and what follows it out")
	}
	if err := w.sides(); err != nil {
		return nil, err
	}
	base, err := w.readTargets(ctx, w.Base)
	if err != nil {
		return nil, err
	}
	metrics, targets, err := w.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer metrics.stop()
	w.others = metrics.pages > 0
	if err := w.gather(ctx, targets); err != nil {
		return nil, err
	}
	d, err := w.diagnosis(base, w.got.sources)
	if err != nil {
		return nil, err
	}
	for _, name := range w.Base {
		d.Args = append(d.Args, Public(name))
	}
	d.Args, d.Observed, d.Traces = append(d.Args, w.got.args...), w.got.observed, w.got.traces
	addMemory(ctx, d, w.got.answers)
	if err := metrics.put(d); err != nil {
		return nil, err
	}
	for _, err := range w.got.missing {
		d.Warnings = append(d.Warnings, model.Warning{Seen: "a URL gave nothing: " + err.Error()})
		w.say("%v", err)
	}
	if w.got.interrupted {
		w.say("interrupted: this is what there was by then")
	}
	return w.found(d, base, w.got.sources, w.got.interrupted || len(w.got.missing) > 0)
}

// found is the result, with flame graphs where they are asked for.
func (w *work) found(d *model.Diagnosis, base, sources []profile.Source, part bool) (*Found, error) {
	d.Tool = w.Tool
	f := &Found{Diagnosis: d, Part: part}
	if !w.Flames {
		return f, nil
	}
	var err error
	f.Flames, err = diagnose.Flames(sources, base, diagnose.Options{Own: w.Own})
	return f, err
}
