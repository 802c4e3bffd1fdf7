package main

import (
	"context"
	"errors"
	"flag"
	"time"

	"github.com/pawl-dev/pawl/internal/diagnose"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
)

// A growthFlags is what of the command line asks for growth.
type growthFlags struct {
	base   string
	points int
	every  time.Duration
}

func addGrowthFlags(fs *flag.FlagSet) *growthFlags {
	f := &growthFlags{}
	fs.StringVar(&f.base, "base", "", "an earlier heap or goroutine `profile` of the same process, file or URL: shows what grew since")
	fs.IntVar(&f.points, "points", 0, "`how many` profiles are taken of a heap or goroutine URL, 2 to 100: shows what grew between them")
	fs.DurationVar(&f.every, "every", 0, "`how long` -points are apart; 10s when not given, all of them 10 min at most")
	return f
}

// asked reports whether growth is wanted. The error is for flags that do not
// fit each other.
func (f *growthFlags) asked(targets []string, seconds int) (bool, error) {
	switch {
	case f.base != "" && f.points != 0:
		return false, usageError("-base compares profiles, and -points takes them: give one of the two")
	case f.every != 0 && f.points == 0:
		return false, usageError("-every is how far -points are apart: say how many")
	case f.base == "" && f.points == 0:
		return false, nil
	case seconds != 0:
		return false, usageError("-seconds asks for what changes in a time, and growth needs what is there: leave it out")
	case f.points != 0 && len(targets) != 1:
		return false, usageError("-points takes profiles of one URL; %d targets are given", len(targets))
	}
	if f.every == 0 {
		f.every = 10 * time.Second
	}
	return true, nil
}

// growth compares the profiles that are named, or takes them. Beside heap
// profiles of a program that runs it asks what its memory consists of.
func (f *growthFlags) growth(ctx context.Context, e *env, targets []string, o diagnose.Options) (*model.Diagnosis, error) {
	d := &model.Diagnosis{Schema: model.SchemaVersion, Profiles: []model.Symptoms{}}
	if f.base != "" {
		return d, f.since(ctx, e, d, targets, o)
	}
	g, last, err := diagnose.Watch(ctx, targets[0], f.points, f.every, o, func(i int) {
		e.printf("pawl: profile %d of %d\n", i, f.points)
	})
	var misuse *diagnose.Misuse
	switch {
	case errors.As(err, &misuse):
		return nil, usageError("%v", misuse)
	case err != nil:
		return nil, err
	}
	d.Growth, d.Args = []model.Growth{*g}, g.Sources[:1]
	addMemory(ctx, d, targets, []diagnose.Source{last})
	return d, nil
}

// since compares the base with what is named behind it.
func (f *growthFlags) since(ctx context.Context, e *env, d *model.Diagnosis, targets []string, o diagnose.Options) error {
	base, err := readTargets(ctx, e, []string{f.base}, 0)
	if err != nil {
		return err
	}
	now, err := readTargets(ctx, e, targets, 0)
	if err != nil {
		return err
	}
	var restBase, restNow []diagnose.Source
	if d.Growth, restBase, restNow, err = diagnose.Grown(base, now, o); err != nil {
		return err
	}
	if len(restBase)+len(restNow) > 0 {
		return errors.New("-base and what is behind it are not of one kind and one process: give heap profiles, or goroutine profiles, of one process")
	}
	for _, s := range append(base, now...) {
		d.Args = append(d.Args, s.Name)
	}
	addMemory(ctx, d, targets[len(targets)-1:], now[len(now)-1:])
	return nil
}

// addMemory asks each program whose heap was read what holds its memory. That
// it cannot say is a warning: the profile is there.
func addMemory(ctx context.Context, d *model.Diagnosis, targets []string, sources []diagnose.Source) {
	for i, s := range sources {
		m, err := diagnose.ReadMemory(ctx, targets[i], s)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			d.Warnings = append(d.Warnings, model.Warning{Seen: "what holds the program's memory could not be read", Cause: err.Error()})
		case m != nil:
			d.Memory = append(d.Memory, *m)
		}
	}
}

func (e *env) diagnosis(d *model.Diagnosis, asJSON bool, color string) (int, error) {
	d.Tool = version()
	if asJSON {
		return exitOK, report.JSON(e.stdout, d)
	}
	return exitOK, report.DiagnosisText(e.stdout, d, e.view(color, e.outTTY))
}
