package diagnose

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/explain/observe"
	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/read/trace"
	runtrace "github.com/pawl-dev/pawl/internal/run/trace"
)

func (w *work) readFile(ctx context.Context, name string) error {
	w.got.args = append(w.got.args, name)
	if isTrace(w.file(name)) {
		return w.readTrace(ctx, name, name)
	}
	s, err := w.readTarget(ctx, name)
	if err != nil {
		return misused(err)
	}
	w.got.sources = append(w.got.sources, s)
	return nil
}

func isTrace(name string) bool {
	return trace.Is(foreign.Head(name, trace.HeadLen))
}

// readTrace reads a trace; label is what it is called in the report.
func (w *work) readTrace(ctx context.Context, name, label string) error {
	res, err := runtrace.ReadFile(ctx, w.file(name), name)
	if err != nil {
		return err
	}
	w.got.traces = append(w.got.traces, res.Summary(w.Tool, label))
	w.got.interrupted = w.got.interrupted || res.Interrupted()
	return nil
}

// readURLs reads what the URLs give. That one of several gives nothing, as a
// program may serve some profiles only, is no reason not to say what the others
// show. A URL that cannot be one is an error before any is asked.
func (w *work) readURLs(ctx context.Context) error {
	for _, url := range w.urls {
		if _, err := target.Asked(url, w.Seconds); err != nil {
			return misused(err)
		}
	}
	for _, url := range w.urls {
		if err := w.readURL(ctx, url); ctx.Err() != nil {
			return err
		} else if err != nil {
			w.got.missing = append(w.got.missing, err)
		}
	}
	if len(w.got.missing) > 0 && len(w.got.sources)+len(w.got.traces) == 0 && !w.others {
		return w.got.missing[0]
	}
	return nil
}

func (w *work) readURL(ctx context.Context, url string) error {
	if target.IsTraceURL(url) {
		asked, err := target.Asked(url, w.Seconds)
		if err != nil {
			return misused(err)
		}
		w.say("asking %s", asked)
		return w.fetchTrace(ctx, url, w.Seconds)
	}
	s, err := w.readTarget(ctx, url)
	if err != nil {
		return misused(err)
	}
	w.asked(url, s)
	return nil
}

func (w *work) asked(url string, s profile.Source) {
	w.got.sources = append(w.got.sources, s)
	w.got.answers = append(w.got.answers, answered{url, s})
	w.got.args = append(w.got.args, s.Name)
}

// readTargets reads files and URLs of profiles.
func (w *work) readTargets(ctx context.Context, targets []string) ([]profile.Source, error) {
	var sources []profile.Source
	for _, name := range targets {
		s, err := w.readTarget(ctx, name)
		if err != nil {
			return nil, misused(err)
		}
		sources = append(sources, s)
	}
	return sources, nil
}

func (w *work) readTarget(ctx context.Context, name string) (profile.Source, error) {
	if target.IsURL(name) {
		asked, err := target.Asked(name, w.Seconds)
		if err != nil {
			return profile.Source{}, err
		}
		w.say("asking %s", asked)
		return target.Read(ctx, name, w.Seconds)
	}
	s, err := target.Read(ctx, w.file(name), w.Seconds)
	s.Name = name
	return s, err
}

// fetchTrace takes a trace from a program that runs. It goes to a file first:
// the program must not wait for its reader.
func (w *work) fetchTrace(ctx context.Context, url string, seconds int) error {
	scratch, err := gocmd.NewScratch("", "diagnose")
	if err != nil {
		return err
	}
	defer scratch.Remove()
	name := filepath.Join(scratch.Dir, "trace.out")
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("making a file for a trace: %w", err)
	}
	label, err := target.FetchTrace(ctx, url, seconds, f)
	if end := f.Close(); err == nil && end != nil {
		err = fmt.Errorf("writing a trace: %w", end)
	}
	if err != nil {
		return err
	}
	w.got.args = append(w.got.args, label)
	return w.readTrace(ctx, name, label)
}

// misused makes a matter of usage of what is one.
func misused(err error) error {
	var misuse *fetch.Misuse
	var pkg *observe.PackageError
	var cmd *observe.CommandError
	switch {
	case errors.As(err, &misuse), errors.As(err, &pkg), errors.As(err, &cmd), errors.Is(err, observe.ErrNoBenchmark):
		return testbed.Usagef("%v", err)
	}
	return err
}
