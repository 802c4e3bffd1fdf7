package main

import (
	"cmp"
	"context"
	"flag"
	"net/url"
	"os"

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

// A metricsPage is a page that is read several times.
type metricsPage = metrics.Target

// watch begins to read pages, if there are any, and returns what waits for the
// end of it. Without pages the metrics are nil.
func (l *liveFlags) watch(ctx context.Context, e *env, pages []metricsPage, seconds int) (func() (*model.RuntimeMetrics, error), error) {
	switch {
	case len(pages) == 0:
		return func() (*model.RuntimeMetrics, error) { return nil, nil }, nil
	case seconds > metrics.LongestSeconds:
		return nil, usageError("%d seconds is not between 1 and %d", seconds, metrics.LongestSeconds)
	}
	seconds = cmp.Or(seconds, metrics.UsualSeconds)
	var m *model.RuntimeMetrics
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		m, err = metrics.Watch(ctx, pages, metrics.Options{
			Seconds: float64(seconds), PID: l.pid, Machine: os.DirFS("/"),
			Progress: func(page string) { e.printf("pawl: reading %s for %d s\n", page, seconds) },
		})
	}()
	return func() (*model.RuntimeMetrics, error) {
		<-done
		return m, err
	}, nil
}

// split tells pages of metrics from profiles, and adds those beside when they
// are asked for. All pages are of one program.
func (l *liveFlags) split(targets []string) (pages []metricsPage, profiles []string, err error) {
	host, urls := "", 0
	for _, t := range targets {
		page := diagnose.IsURL(t) && metrics.IsPage(t)
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
			pages = append(pages, more...)
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
	return pages, profiles, nil
}

// put adds the metrics to a diagnosis.
func (l *liveFlags) put(d *model.Diagnosis, m *model.RuntimeMetrics) {
	if d.Metrics = m; m == nil {
		return
	}
	if d.Profiles == nil {
		d.Profiles = []model.Symptoms{}
	}
	for _, s := range m.Sources {
		if s.Form != "process" {
			d.Args = append(d.Args, s.Name)
		}
	}
}
