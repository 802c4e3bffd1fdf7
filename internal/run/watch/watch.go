package watch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/keep/store"
)

// Options say what is watched, and how.
type Options struct {
	Targets  []Target
	Root     string        // where the rings are, by the names of the targets
	Interval time.Duration // from one round to the next
	Seconds  int           // of CPU time in each
	For      time.Duration // 0 is until the context ends
	Size     int64         // of each ring, in bytes
	Say      func(string)  // is told of gaps
	Sink     Sink          // is sent what is captured; nil for none
}

// Dir is the ring of a service below root.
func Dir(root, name string) string { return filepath.Join(root, name) }

// Run watches until the time is over or the context ends, which is no error. An error is
// for a ring that cannot be written.
func Run(ctx context.Context, o Options) error {
	if o.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.For)
		defer cancel()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rings := make([]*ring.Ring, len(o.Targets))
	for i, t := range o.Targets {
		r, err := ring.Open(Dir(o.Root, t.Name), o.Size)
		if err != nil {
			return busy(t.Name, err)
		}
		defer r.Close()
		rings[i] = r
	}
	errs := make([]error, len(o.Targets))
	var wg sync.WaitGroup
	for i, t := range o.Targets {
		wg.Go(func() {
			w := &watcher{o: o, t: t, r: rings[i], said: map[string]bool{}}
			if errs[i] = w.run(ctx); errs[i] != nil {
				stop()
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// busy says who watches a service already.
func busy(name string, err error) error {
	var b *store.BusyError
	if errors.As(err, &b) {
		return fmt.Errorf("process %d has been watching %s since %s: end it, or give this one another name (NAME=TARGET)",
			b.Holder.PID, name, b.Holder.Since.Local().Format(time.DateTime))
	}
	return err
}

// A watcher watches one target.
type watcher struct {
	o    Options
	t    Target
	r    *ring.Ring
	said map[string]bool // since all was well
}

func (w *watcher) run(ctx context.Context) error {
	next := time.Now()
	for {
		from := time.Now().UTC()
		if err := w.absence(from); err != nil {
			return err
		}
		all, err := w.t.from.round(ctx, w)
		if ctx.Err() != nil { // what came of the round is not whole
			if time.Since(from) > late {
				w.say("the round that began at %s was not over, and is left out", from.Local().Format(time.TimeOnly))
			}
			return nil
		}
		if err := w.keep(ctx, from, all, err); err != nil {
			return err
		}
		if next = next.Add(w.o.Interval); time.Until(next) < 0 {
			next = time.Now()
		}
		select {
		case <-time.After(time.Until(next)):
		case <-ctx.Done():
			return nil
		}
	}
}

// keep puts what a round gave into the ring, or that it gave nothing.
func (w *watcher) keep(ctx context.Context, from time.Time, all []taken, err error) error {
	if err != nil {
		return w.gap(from, time.Now().UTC(), "", reason(err))
	}
	for _, t := range all {
		if t.Gap != "" {
			if err := w.gap(t.From, t.Until, t.Instance, t.Gap); err != nil {
				return err
			}
			continue
		}
		last, ok := w.last(t.Instance)
		if ok && t.Run > last.Run && last.Run > 0 {
			if err := w.gap(last.Until, t.From, t.Instance, "the program was started again"); err != nil {
				return err
			}
		}
		if err := w.r.Add(t.Capture, t.content); err != nil {
			return err
		}
		w.push(ctx, last, t)
		if len(t.Missing) == 0 {
			clear(w.said)
		}
		for kind, why := range t.Missing {
			w.say("no %s: %s", kind, why)
		}
	}
	return nil
}

// last is the latest capture of an instance that is no gap.
func (w *watcher) last(instance string) (ring.Capture, bool) {
	for _, c := range slices.Backward(w.r.Captures()) {
		if c.Gap == "" && c.Instance == instance {
			return c, true
		}
	}
	return ring.Capture{}, false
}

// late is how much later than it was due a round may begin.
const late = time.Second

// absence keeps the time since the last round as a gap, where the next was due before now:
// pawl was ended, or the machine slept.
func (w *watcher) absence(now time.Time) error {
	all := w.r.Captures()
	if !w.t.live() || len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	due := last.From.Add(w.o.Interval)
	if last.Gap != "" {
		due = last.Until.Add(w.o.Interval) // it may have gone on for long
	} else if due.Before(last.Until) {
		due = last.Until
	}
	if now.Sub(due) <= late {
		return nil
	}
	return w.gap(last.Until, now, "", "pawl was not watching")
}

// gap keeps a gap. One that goes on for the same reason stays one.
func (w *watcher) gap(from, until time.Time, instance, why string) error {
	run := 0
	if last, ok := w.last(instance); ok {
		run = last.Run
	}
	c := ring.Capture{From: from, Until: until, Instance: instance, Gap: why, Run: run}
	if all := w.r.Captures(); len(all) > 0 && all[len(all)-1].Gap == why && all[len(all)-1].Instance == instance {
		c.From = all[len(all)-1].From
		return w.r.Extend(c)
	}
	if instance != "" {
		why = instance + ": " + why
	}
	w.say("a gap since %s: %s", from.Local().Format(time.TimeOnly), why)
	return w.r.Add(c, nil)
}

// say tells of something once, until all is well again.
func (w *watcher) say(format string, args ...any) {
	text := w.t.Name + ": " + fmt.Sprintf(format, args...)
	if !w.said[text] {
		w.said[text] = true
		w.o.Say(text)
	}
}
