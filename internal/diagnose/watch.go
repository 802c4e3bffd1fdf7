package diagnose

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
)

const (
	// mostPoints and longestWatch bound what a program is asked for, and
	// shortestStep how often.
	mostPoints   = 100
	longestWatch = 600 * time.Second
	shortestStep = 100 * time.Millisecond
)

// Watch takes n profiles of a program that runs, every so often, and says what
// grew, as Growth does. Taken is called before each. It returns the last
// profile besides. When ctx ends or the program does not answer any more, the
// points that there are count, and a warning says so; with fewer than two, the
// error does. The error is a *Misuse where the target itself is wrong.
func Watch(ctx context.Context, target string, n int, every time.Duration, o Options, taken func(i int)) (*model.Growth, Source, error) {
	if err := watchable(target, n, every); err != nil {
		return nil, Source{}, err
	}
	end, cancel := context.WithTimeout(ctx, longestWatch+patience)
	defer cancel()
	y, last := newHistory(o), Source{}
	var stopped error
	next := time.Now()
	points := 0
	for ; points < n; points++ {
		if stopped = until(end, next); stopped != nil {
			break
		}
		next = time.Now().Add(every)
		taken(points + 1)
		s, err := fetch(end, target, 0)
		if err == nil {
			err = y.add(s)
		}
		if stopped = err; stopped != nil {
			break
		}
		last = s
	}
	if points < 2 {
		return nil, last, stopped
	}
	g, err := y.growth()
	if err != nil {
		return nil, last, err
	}
	if stopped != nil {
		g.Warnings = append(g.Warnings, model.Warning{Seen: fmt.Sprintf("%d of %d points", points, n), Cause: reason(ctx, stopped)})
	}
	return g, last, nil
}

// until waits for a moment, or returns why not.
func until(ctx context.Context, t time.Time) error {
	timer := time.NewTimer(time.Until(t))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
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

// watchable says what of a watch cannot be done.
func watchable(target string, n int, every time.Duration) error {
	if !IsURL(target) {
		return misuse("%s is no URL: -points asks a program that runs; for files, name the first behind -base", target)
	}
	e, err := parseEndpoint(target, 0)
	if err != nil {
		return err
	}
	switch kind := path.Base(e.u.Path); {
	case kind != "heap" && kind != "allocs" && kind != "goroutine" && kind != string(profile.KindLeak):
		return misuse("%s: -points looks for growth in heap, goroutine or goroutineleak, such as %s://%s/debug/pprof/heap", e.u.Redacted(), e.u.Scheme, e.u.Host)
	case e.seconds > 0:
		return misuse("%s: with seconds it gives what changed in that time, and growth needs what is there; leave it out", e.u.Redacted())
	case n < 2 || n > mostPoints:
		return misuse("%d points is not between 2 and %d", n, mostPoints)
	case every < shortestStep:
		return misuse("a point every %v: it takes %v at least", every, shortestStep)
	case time.Duration(n-1)*every > longestWatch:
		return misuse("%d points %v apart take longer than %v; for a longer time, save profiles and name the first behind -base", n, every, longestWatch)
	}
	return nil
}

// ReadMemory asks a program for the statistics of its memory, beside the
// profile that was read from the same URL, and says what holds it. It returns
// nil where the target is not the URL of a heap profile.
func ReadMemory(ctx context.Context, target string, heap Source) (*model.Memory, error) {
	if !IsURL(target) || heap.Profile == nil || heap.Profile.Kind() != profile.KindHeap {
		return nil, nil
	}
	e, err := parseEndpoint(target, 0)
	if err != nil || path.Base(e.u.Path) != "heap" && path.Base(e.u.Path) != "allocs" {
		return nil, err
	}
	q := e.u.Query()
	q.Del("seconds")
	q.Del("gc") // once is enough
	q.Set("debug", "1")
	e.u.RawQuery, e.seconds = q.Encode(), 0
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := e.ask(ctx)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	m, err := ParseMemStats(io.LimitReader(body, mostPacked))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.u.Redacted(), err)
	}
	live := -1.0
	if heap.Profile.Seconds() == 0 { // one of a time is not of all that is alive
		if live, _, err = heap.Profile.Total("inuse_space"); err != nil {
			live = -1
		}
	}
	return Memory(e.u.Redacted(), m, live), nil
}
