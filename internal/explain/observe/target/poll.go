package target

import (
	"context"
	"path"
	"time"

	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

const (
	// mostPoints and longestPoll bound what a program is asked for, and
	// shortestStep how often.
	mostPoints   = 100
	longestPoll  = 600 * time.Second
	shortestStep = 100 * time.Millisecond
)

// Poll takes n profiles of a program that runs, every so often. Taken is called
// before each, and add with each. The error is why there are fewer, and add's
// own ends it; it is a *fetch.Misuse where the target itself is wrong.
func Poll(ctx context.Context, target string, n int, every time.Duration, taken func(i int), add func(profile.Source) error) error {
	if err := pollable(target, n, every); err != nil {
		return err
	}
	end, cancel := context.WithTimeout(ctx, longestPoll+patience)
	defer cancel()
	next := time.Now()
	for i := range n {
		if err := until(end, next); err != nil {
			return err
		}
		next = time.Now().Add(every)
		taken(i + 1)
		s, err := take(end, target, 0)
		if err == nil {
			err = add(s)
		}
		if err != nil {
			return err
		}
	}
	return nil
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

// pollable says what of a poll cannot be done.
func pollable(target string, n int, every time.Duration) error {
	if !IsURL(target) {
		return fetch.Misused("%s is no URL: -points asks a program that runs; for files, name the first behind -base", target)
	}
	e, err := parseEndpoint(target, 0)
	if err != nil {
		return err
	}
	switch kind := path.Base(e.u.Path); {
	case kind != "heap" && kind != "allocs" && kind != "goroutine" && kind != string(profile.KindLeak):
		return fetch.Misused("%s: -points looks for growth in heap, goroutine or goroutineleak, such as %s://%s/debug/pprof/heap", scrub.URL(e.u), e.u.Scheme, e.u.Host)
	case e.seconds > 0:
		return fetch.Misused("%s: with seconds it gives what changed in that time, and growth needs what is there; leave it out", scrub.URL(e.u))
	case n < 2 || n > mostPoints:
		return fetch.Misused("%d points is not between 2 and %d", n, mostPoints)
	case every < shortestStep:
		return fetch.Misused("a point every %v: it takes %v at least", every, shortestStep)
	case time.Duration(n-1)*every > longestPoll:
		return fetch.Misused("%d points %v apart take longer than %v; for a longer time, save profiles and name the first behind -base", n, every, longestPoll)
	}
	return nil
}
