package diagnose

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/internal/explain/metrics"
	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

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
func (w *work) begin(ctx context.Context) (*watching, []string, error) {
	pages, rest, err := w.split()
	switch {
	case err != nil:
		return nil, nil, misused(err)
	case len(pages) > 0 && w.Seconds > metrics.LongestSeconds:
		return nil, nil, testbed.Usagef("%d seconds is not between 1 and %d", w.Seconds, metrics.LongestSeconds)
	}
	ctx, cancel := context.WithCancel(ctx)
	live := &watching{cancel: cancel, pages: len(pages), done: make(chan struct{})}
	if len(pages) == 0 {
		close(live.done)
		return live, rest, nil
	}
	seconds := cmp.Or(w.Seconds, metrics.UsualSeconds)
	go func() {
		defer close(live.done)
		live.m, live.err = metrics.Watch(ctx, pages, metrics.Options{
			Seconds: float64(seconds), PID: w.PID, Machine: os.DirFS("/"),
			Progress: func(page string) { w.say("reading %s for %d s", page, seconds) },
		})
	}()
	return live, rest, nil
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
func (w *work) split() (pages []metrics.Target, profiles []string, err error) {
	var beside []metrics.Target
	host, urls := "", 0
	for _, t := range w.Targets {
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
		if !page && (!w.Metrics || !target.IsURL(t)) {
			continue
		}
		urls++
		if u, err := url.Parse(t); err == nil {
			if host != "" && u.Hostname() != host {
				return nil, nil, fetch.Misused("metrics of %s and of %s: those of one program can be read at a time", host, u.Hostname())
			}
			host = u.Hostname()
		}
		if w.Metrics {
			more, err := metrics.Beside(t)
			if err != nil {
				return nil, nil, err
			}
			beside = append(beside, more...)
		}
	}
	switch {
	case w.Metrics && urls == 0:
		return nil, nil, fetch.Misused("-metrics needs the URL of a program that runs, such as http://localhost:6060/debug/pprof")
	case w.PID != 0 && urls == 0:
		return nil, nil, fetch.Misused("-pid goes with the metrics of a program that runs: name its /metrics or /debug/vars, or add -metrics")
	case w.PID < 0:
		return nil, nil, fetch.Misused("-pid %d is no process", w.PID)
	}
	return once(append(pages, beside...)), profiles, nil
}

// isMetrics reports whether a target is a page of metrics, and no profile.
func isMetrics(name string) bool { return target.IsURL(name) && metrics.IsPage(name) }

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
