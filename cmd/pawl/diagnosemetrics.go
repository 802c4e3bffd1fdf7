package main

import (
	"cmp"
	"context"
	"flag"
	"net/url"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/internal/answer"
	"github.com/pawl-dev/pawl/internal/diagnose"
	"github.com/pawl-dev/pawl/internal/metrics"
	"github.com/pawl-dev/pawl/internal/model"
)

// liveFlags are those of the metrics of a program that runs.
type liveFlags struct {
	beside bool
	pid    int
}

func (l *liveFlags) register(fs *flag.FlagSet) {
	fs.BoolVar(&l.beside, "metrics", false, "read the runtime's metrics as well, from what a URL's program has beside it: /metrics, /debug/vars, /debug/pprof/heap?debug=1")
	fs.IntVar(&l.pid, "pid", 0, "`id` of the program's process on this machine, for its CPU quota; looked for by the port of a loopback address when 0")
}

// A watching is metrics being read while something else is done.
type watching struct {
	cancel context.CancelFunc
	pages  int
	done   chan struct{} // closed at the end of it
	m      *model.RuntimeMetrics
	err    error
}

// begin begins to read the metrics that are asked for, and returns the targets
// that are none. The caller waits for the result, or stops it.
func (l *liveFlags) begin(ctx context.Context, e *env, targets []string, seconds int) (*watching, []string, error) {
	pages, rest, err := l.split(targets)
	switch {
	case err != nil:
		return nil, nil, misused(err)
	case len(pages) > 0 && seconds > metrics.LongestSeconds:
		return nil, nil, usageError("%d seconds is not between 1 and %d", seconds, metrics.LongestSeconds)
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &watching{cancel: cancel, pages: len(pages), done: make(chan struct{})}
	if len(pages) == 0 {
		close(w.done)
		return w, rest, nil
	}
	seconds = cmp.Or(seconds, metrics.UsualSeconds)
	go func() {
		defer close(w.done)
		w.m, w.err = metrics.Watch(ctx, pages, metrics.Options{
			Seconds: float64(seconds), PID: l.pid, Machine: os.DirFS("/"),
			Progress: func(page string) { e.printf("pawl: reading %s for %d s\n", page, seconds) },
		})
	}()
	return w, rest, nil
}

// stop ends the reading, if it has not ended.
func (w *watching) stop() {
	w.cancel()
	<-w.done
}

// put waits for the metrics and adds them to a diagnosis, if there are any.
func (w *watching) put(d *model.Diagnosis) error {
	<-w.done
	if w.err != nil || w.m == nil {
		return misused(w.err)
	}
	d.Metrics = w.m
	if d.Profiles == nil {
		d.Profiles = []model.Symptoms{}
	}
	for _, s := range w.m.Sources {
		if s.Form != "process" {
			d.Args = append(d.Args, s.Name)
		}
	}
	return nil
}

// split tells pages of metrics from profiles, and adds those beside when they
// are asked for. All pages are of one program.
func (l *liveFlags) split(targets []string) (pages []metrics.Target, profiles []string, err error) {
	var beside []metrics.Target
	host, urls := "", 0
	for _, t := range targets {
		page := isMetrics(t)
		if !page {
			profiles = append(profiles, t)
		}
		if page {
			p, err := metrics.Page(t)
			if err != nil {
				return nil, nil, err
			}
			pages = append(pages, p)
		}
		if !page && (!l.beside || !diagnose.IsURL(t)) {
			continue
		}
		urls++
		if u, err := url.Parse(t); err == nil {
			if host != "" && u.Hostname() != host {
				return nil, nil, answer.Misused("metrics of %s and of %s: those of one program can be read at a time", host, u.Hostname())
			}
			host = u.Hostname()
		}
		if l.beside {
			more, err := metrics.Beside(t)
			if err != nil {
				return nil, nil, err
			}
			beside = append(beside, more...)
		}
	}
	switch {
	case l.beside && urls == 0:
		return nil, nil, answer.Misused("-metrics needs the URL of a program that runs, such as http://localhost:6060/debug/pprof")
	case l.pid != 0 && urls == 0:
		return nil, nil, answer.Misused("-pid goes with the metrics of a program that runs: name its /metrics or /debug/vars, or add -metrics")
	case l.pid < 0:
		return nil, nil, answer.Misused("-pid %d is no process", l.pid)
	}
	return once(append(pages, beside...)), profiles, nil
}

// isMetrics reports whether a target is a page of metrics, and no profile.
func isMetrics(target string) bool { return diagnose.IsURL(target) && metrics.IsPage(target) }

// once leaves out pages that are in front already: one may be beside several
// profiles.
func once(pages []metrics.Target) []metrics.Target {
	seen := map[string]bool{}
	return slices.DeleteFunc(pages, func(p metrics.Target) bool {
		again := seen[p.String()]
		seen[p.String()] = true
		return again
	})
}
