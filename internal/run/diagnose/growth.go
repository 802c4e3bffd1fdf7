package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/diagnose"
	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// usualEvery is how far the points of -points are apart.
const usualEvery = 10 * time.Second

// growing reports whether profiles are to be taken several times. The error is
// for options that do not fit each other.
func (w *work) growing() (bool, error) {
	switch {
	case w.compared() && w.Points != 0:
		return false, testbed.Usage("-base compares profiles, and -points takes them: give one of the two")
	case w.Every != 0 && w.Points == 0:
		return false, testbed.Usage("-every is how far -points are apart: say how many")
	case w.Points == 0:
		return false, nil
	case w.Dashes || w.Bench != "" || w.Keep != "":
		return false, testbed.Usage("-points asks a program that runs already: leave -bench, -keep and what follows -- out")
	case w.Metrics || w.PID != 0:
		return false, testbed.Usage("-metrics and -pid go with a profile of now: leave -points out")
	case w.Seconds != 0:
		return false, testbed.Usage("-seconds asks for what changes in a time, and growth needs what is there: leave it out")
	case len(w.Targets) != 1:
		return false, testbed.Usagef("-points takes profiles of one URL; %d targets are given", len(w.Targets))
	}
	w.Every = cmp.Or(w.Every, usualEvery)
	return true, nil
}

// watch takes the profiles and says what grew; it also returns the last one.
// Beside heap profiles it asks what the program's memory consists of.
func (w *work) watch(ctx context.Context) (*model.Diagnosis, profile.Source, error) {
	g, last, err := w.poll(ctx)
	if err != nil {
		return nil, last, misused(err)
	}
	d := &model.Diagnosis{Schema: model.SchemaVersion, Profiles: []model.Symptoms{}, Growth: []model.Growth{*g}, Args: g.Sources[:1]}
	addMemory(ctx, d, []answered{{w.Targets[0], last}})
	return d, last, nil
}

// poll says what grew between the points, and returns the last of them. When
// ctx ends or the program does not answer any more, the points that there are
// count, and a warning says so; with fewer than two, the error does.
func (w *work) poll(ctx context.Context) (*model.Growth, profile.Source, error) {
	h, last, points := diagnose.NewHistory(w.look), profile.Source{}, 0
	stopped := target.Poll(ctx, w.Targets[0], w.Points, w.Every, func(i int) { w.say("profile %d of %d", i, w.Points) }, func(s profile.Source) error {
		if err := h.Add(s); err != nil {
			return err
		}
		last, points = s, points+1
		return nil
	})
	if points < 2 {
		return nil, last, stopped
	}
	g, err := h.Growth()
	if err != nil {
		return nil, last, err
	}
	if stopped != nil {
		g.Warnings = append(g.Warnings, model.Warning{Seen: fmt.Sprintf("%d of %d points", points, w.Points), Cause: reason(ctx, stopped)})
	}
	return g, last, nil
}

func reason(ctx context.Context, err error) string {
	switch {
	case ctx.Err() != nil:
		return "pawl was interrupted"
	case errors.Is(err, context.DeadlineExceeded):
		return "the program answered so slowly that the time was up"
	}
	return err.Error()
}

// An answered is a URL as it was given, and the profile that it gave.
type answered struct {
	url    string
	source profile.Source
}

// addMemory asks each program whose heap was read what holds its memory. That
// it cannot say is a warning: the profile is there.
func addMemory(ctx context.Context, d *model.Diagnosis, of []answered) {
	for _, a := range of {
		m, err := a.memory(ctx)
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

// memory asks what holds the program's memory; nil where its heap was not read.
func (a answered) memory(ctx context.Context) (*model.Memory, error) {
	heap := a.source.Profile
	if heap == nil || heap.Kind() != profile.KindHeap {
		return nil, nil
	}
	name, m, err := target.MemStats(ctx, a.url)
	if err != nil || m == nil {
		return nil, err
	}
	live := -1.0
	if heap.Seconds() == 0 { // one of a time is not of all that is alive
		if v, _, err := heap.Total("inuse_space"); err == nil {
			live = v
		}
	}
	return diagnose.Memory(name, m, live), nil
}
