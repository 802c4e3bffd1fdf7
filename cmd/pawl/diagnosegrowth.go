package main

import (
	"context"
	"flag"
	"time"

	"github.com/pawl-dev/pawl/internal/diagnose"
	"github.com/pawl-dev/pawl/internal/model"
)

// usualEvery is how far the points of -points are apart.
const usualEvery = 10 * time.Second

// A growthFlags is what of the command line asks a program several times.
type growthFlags struct {
	points int
	every  time.Duration
}

func (f *growthFlags) register(fs *flag.FlagSet) {
	fs.IntVar(&f.points, "points", 0, "`how many` profiles are taken of a heap or goroutine URL, 2 to 100: shows what grew between them")
	fs.DurationVar(&f.every, "every", 0, "`how long` -points are apart; 10s when not given, all of them 10 min at most")
}

// asked reports whether profiles are to be taken several times. The error is
// for flags that do not fit each other.
func (f *growthFlags) asked(targets []string, g *diagnosing) (bool, error) {
	switch {
	case g.before.wanted() && f.points != 0:
		return false, usageError("-base compares profiles, and -points takes them: give one of the two")
	case f.every != 0 && f.points == 0:
		return false, usageError("-every is how far -points are apart: say how many")
	case f.points == 0:
		return false, nil
	case g.targets.dashes || g.targets.bench != "" || g.targets.keep != "":
		return false, usageError("-points asks a program that runs already: leave -bench, -keep and what follows -- out")
	case g.live.beside || g.live.pid != 0:
		return false, usageError("-metrics and -pid go with a profile of now: leave -points out")
	case g.seconds != 0:
		return false, usageError("-seconds asks for what changes in a time, and growth needs what is there: leave it out")
	case len(targets) != 1:
		return false, usageError("-points takes profiles of one URL; %d targets are given", len(targets))
	}
	if f.every == 0 {
		f.every = usualEvery
	}
	return true, nil
}

// watch takes the profiles and says what grew; it also returns the last one.
// Beside heap profiles it asks what the program's memory consists of.
func (f *growthFlags) watch(ctx context.Context, e *env, target string, o diagnose.Options) (*model.Diagnosis, diagnose.Source, error) {
	g, last, err := diagnose.Watch(ctx, target, f.points, f.every, o, func(i int) {
		e.printf("pawl: profile %d of %d\n", i, f.points)
	})
	if err != nil {
		return nil, last, misused(err)
	}
	d := &model.Diagnosis{Schema: model.SchemaVersion, Profiles: []model.Symptoms{}, Growth: []model.Growth{*g}, Args: g.Sources[:1]}
	addMemory(ctx, d, []answered{{target, last}})
	return d, last, nil
}

// An answered is a URL as it was given, and the profile that it gave.
type answered struct {
	url    string
	source diagnose.Source
}

// addMemory asks each program whose heap was read what holds its memory. That
// it cannot say is a warning: the profile is there.
func addMemory(ctx context.Context, d *model.Diagnosis, of []answered) {
	for _, a := range of {
		m, err := diagnose.ReadMemory(ctx, a.url, a.source)
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
