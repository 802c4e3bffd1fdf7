package main

import (
	"cmp"
	"context"
	"errors"
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
	beside *bool
	pid    *int
}

func metricsFlags(fs *flag.FlagSet) liveFlags {
	return liveFlags{
		beside: fs.Bool("metrics", false, "read the runtime's metrics as well, from what a URL's program has beside it: /metrics, /debug/vars, /debug/pprof/heap?debug=1"),
		pid:    fs.Int("pid", 0, "`id` of the program's process on this machine, for its CPU quota; looked for by the port of a loopback address when 0"),
	}
}

// read reads the targets: profiles, which it returns with what was read, and
// the metrics of the program that runs meanwhile. The metrics are nil when none
// are asked for.
func (l liveFlags) read(ctx context.Context, e *env, targets []string, seconds int) ([]string, []diagnose.Source, *model.RuntimeMetrics, error) {
	pages, profiles, err := l.split(targets)
	if err != nil {
		return nil, nil, nil, asUsage(err)
	}
	if len(pages) > 0 && seconds > metrics.LongestSeconds {
		return nil, nil, nil, usageError("%d seconds is not between 1 and %d", seconds, metrics.LongestSeconds)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watched := l.watch(ctx, e, pages, cmp.Or(seconds, metrics.UsualSeconds))
	sources, err := readTargets(ctx, e, profiles, seconds)
	if err != nil {
		cancel()
		watched() // it ends with the context
		return nil, nil, nil, err
	}
	m, err := watched()
	return profiles, sources, m, asUsage(err)
}

// watch begins to read pages, if there are any, and returns what waits for the
// end of it.
func (l liveFlags) watch(ctx context.Context, e *env, pages []metrics.Target, seconds int) func() (*model.RuntimeMetrics, error) {
	if len(pages) == 0 {
		return func() (*model.RuntimeMetrics, error) { return nil, nil }
	}
	var m *model.RuntimeMetrics
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		m, err = metrics.Watch(ctx, pages, metrics.Options{
			Seconds: float64(seconds), PID: *l.pid, Machine: os.DirFS("/"),
			Progress: func(page string) { e.printf("pawl: reading %s for %d s\n", page, seconds) },
		})
	}()
	return func() (*model.RuntimeMetrics, error) {
		<-done
		return m, err
	}
}

// split tells pages of metrics from profiles, and adds those beside when they
// are asked for. All pages are of one program.
func (l liveFlags) split(targets []string) (pages []metrics.Target, profiles []string, err error) {
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
		if !page && (!*l.beside || !diagnose.IsURL(t)) {
			continue
		}
		urls++
		if u, err := url.Parse(t); err == nil {
			if host != "" && u.Hostname() != host {
				return nil, nil, answer.Misused("metrics of %s and of %s: those of one program can be read at a time", host, u.Hostname())
			}
			host = u.Hostname()
		}
		if *l.beside {
			more, err := metrics.Beside(t)
			if err != nil {
				return nil, nil, err
			}
			pages = append(pages, more...)
		}
	}
	switch {
	case *l.beside && urls == 0:
		return nil, nil, answer.Misused("-metrics needs the URL of a program that runs, such as http://localhost:6060/debug/pprof")
	case *l.pid != 0 && urls == 0:
		return nil, nil, answer.Misused("-pid goes with the metrics of a program that runs: name its /metrics or /debug/vars, or add -metrics")
	case *l.pid < 0:
		return nil, nil, answer.Misused("-pid %d is no process", *l.pid)
	}
	return pages, profiles, nil
}

// put adds the metrics to a diagnosis.
func (l liveFlags) put(d *model.Diagnosis, m *model.RuntimeMetrics) {
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

// asUsage turns a target that is wrong into an error of usage.
func asUsage(err error) error {
	var wrong *answer.Misuse
	if errors.As(err, &wrong) {
		return usageError("%v", wrong)
	}
	return err
}
