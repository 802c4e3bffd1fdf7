package diagnose

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/diagnose"
	"github.com/pawl-dev/pawl/internal/explain/observe"
	"github.com/pawl-dev/pawl/internal/explain/observe/target"
)

// observeCommand runs a command from outside, and takes profiles from URLs
// while it runs.
func (w *work) observeCommand(ctx context.Context, scratch string) error {
	cmd, err := observe.NewCommand(w.config(w.Dir, scratch), w.Line)
	if err != nil {
		return misused(err)
	}
	for _, url := range w.urls { // before anything runs
		seconds := w.Seconds
		if !isCPU(url) {
			seconds = 0
		}
		asked, err := target.Asked(url, seconds)
		if err != nil {
			return misused(err)
		}
		w.say("asking %s while the command runs", asked)
	}
	var failed error
	var meanwhile func(context.Context)
	if len(w.urls) > 0 {
		meanwhile = func(ctx context.Context) { failed = w.askWhile(ctx) }
	}
	r, err := cmd.Run(ctx, meanwhile)
	switch {
	case err != nil:
		return err
	case failed != nil && !r.Interrupted:
		return fmt.Errorf("%w (%s)", failed, r.Ended)
	}
	diagnose.Run(&r.Observed)
	return w.take(ctx, r.Target, r)
}

// How long a command may take until it answers, and how often it is asked.
const (
	answerWithin = 15 * time.Second
	askAgain     = 250 * time.Millisecond
)

// askWhile takes profiles from a command that has just been started, once it
// answers: that of CPU time for as long as the command is observed, and the
// others towards its end.
func (w *work) askWhile(ctx context.Context) error {
	begun := time.Now()
	late := w.config("", "").For * 4 / 5
	for _, cpu := range []bool{true, false} {
		for _, url := range w.urls {
			if isCPU(url) != cpu {
				continue
			}
			seconds := w.Seconds
			if !cpu {
				seconds = 0
				pause(ctx, late-time.Since(begun))
			}
			if err := w.askOnce(ctx, url, seconds, begun); err != nil {
				return err
			}
		}
	}
	return nil
}

// askOnce takes one profile or trace, of a command that may still be starting.
func (w *work) askOnce(ctx context.Context, url string, seconds int, begun time.Time) error {
	take := func() error {
		if target.IsTraceURL(url) {
			return w.fetchTrace(ctx, url, seconds)
		}
		s, err := target.Read(ctx, url, seconds)
		if err == nil {
			w.asked("", s) // it has ended when its memory could be asked for
		}
		return err
	}
	err := take()
	for err != nil && target.Absent(err) && ctx.Err() == nil && time.Since(begun) < answerWithin {
		pause(ctx, askAgain)
		err = take()
	}
	if err != nil && ctx.Err() != nil { // an error of the end itself would say less
		return errors.New("the command ended before it had given its profiles; does it listen on the address of the URL?")
	}
	return err
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// isCPU reports whether a URL is that of a CPU profile: it is asked for by its
// name, or by that of all profiles.
func isCPU(url string) bool {
	url, _, _ = strings.Cut(url, "?")
	url = strings.TrimRight(url, "/")
	return strings.HasSuffix(url, "/profile") || strings.HasSuffix(url, "/debug/pprof")
}
