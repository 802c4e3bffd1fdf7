package metrics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/model"
)

// Limits of what is asked of a program.
const (
	UsualSeconds   = 10
	LongestSeconds = 600
	// mostRounds is how often each page is read where there is a second or more
	// between two of them.
	mostRounds = 5
	// mostPage is how many bytes a page may have, unpacked.
	mostPage = 64 << 20
	// patience is how long a page may take.
	patience = 30 * time.Second
)

// Options say what is read.
type Options struct {
	// Seconds lie between the first reading and the last.
	Seconds float64
	// PID is the program's process on this machine; 0 looks for it.
	PID int
	// Machine is where /proc and /sys are; nil where nothing is to be read there.
	Machine fs.FS
	// Patience is how long a page may take, when not 30 s.
	Patience time.Duration
	// Progress is told which page is read for the first time; it may be nil.
	Progress func(page string)
}

// A series is what one page said over time.
type series struct {
	name     string
	readings []*Reading
	gone     error // why there is no further reading
}

func (s *series) last() *Reading { return s.readings[len(s.readings)-1] }

// Watch reads pages of one program several times and says what its runtime
// did meanwhile. An error is for a page that was asked for and cannot be read,
// and for a program none of whose pages can; it is an *fetch.Misuse where a
// URL is wrong.
func Watch(ctx context.Context, targets []Target, o Options) (*model.RuntimeMetrics, error) {
	o.Patience = cmp.Or(o.Patience, patience)
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	w := &watch{o: o}
	targets, err := w.begin(ctx, targets)
	if err != nil {
		return nil, err
	}
	if err := w.process(targets); err != nil {
		return nil, err
	}
	rounds := mostRounds
	if o.Seconds < mostRounds-1 {
		rounds = 2
	}
	for i := 1; i < rounds; i++ {
		if err := sleep(ctx, time.Until(w.start.Add(time.Duration(o.Seconds*float64(i)/float64(rounds-1)*float64(time.Second))))); err != nil {
			return nil, err
		}
		if err := w.again(ctx, targets); err != nil {
			return nil, err
		}
	}
	return w.result()
}

// A watch is the reading of a program's pages.
type watch struct {
	o        Options
	start    time.Time
	all      []*series // one for each target, and then the process
	proc     *process
	unknown  []model.MetricGap
	warnings []model.Warning
}

// begin reads each page for the first time, and returns those that are there.
func (w *watch) begin(ctx context.Context, targets []Target) ([]Target, error) {
	w.start = time.Now()
	var there []Target
	var missing []error
	for _, t := range targets {
		if slices.ContainsFunc(there, func(u Target) bool { return u.String() == t.String() }) || t.lastly && w.enough() {
			continue
		}
		w.o.Progress(t.String())
		r, err := w.read(ctx, t)
		switch {
		case err == nil:
			w.all = append(w.all, &series{name: t.String(), readings: []*Reading{r}})
			there = append(there, t)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !t.maybe:
			return nil, err
		default:
			missing = append(missing, err)
		}
	}
	if len(there) == 0 {
		return nil, fmt.Errorf("no page of metrics was found; import expvar, or name the path of client_golang's handler:\n%w", errors.Join(missing...))
	}
	return there, nil
}

// enough reports whether the pages that were read say what the collector costs.
func (w *watch) enough() bool {
	for _, s := range w.all {
		v := s.readings[0].Values
		_, classes := v[cpuTotal]
		_, fraction := v[gcFraction]
		if classes || fraction {
			return true
		}
	}
	return false
}

// again reads each page once more. A page that fails is not asked again.
func (w *watch) again(ctx context.Context, targets []Target) error {
	for i, t := range targets {
		s := w.all[i]
		if s.gone != nil {
			continue
		}
		r, err := w.read(ctx, t)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.gone = err
			if len(s.readings) == 1 {
				return fmt.Errorf("the first reading was good, and the second was not: %w", err)
			}
			w.warnings = append(w.warnings, model.Warning{Seen: "a page could not be read to the end of the time: " + err.Error(), Cause: "the program ended, or was busy", Try: "the command again"})
			continue
		}
		s.readings = append(s.readings, r)
	}
	w.processAgain()
	return nil
}

func (w *watch) read(ctx context.Context, t Target) (*Reading, error) {
	within, cancel := context.WithTimeout(ctx, w.o.Patience)
	defer cancel()
	before := time.Now()
	data, err := fetch.Get(within, t.u, "text/plain;version=0.0.4,application/json;q=0.9,*/*;q=0.1", mostPage)
	after := time.Now()
	if err != nil {
		return nil, explain(t, err, w.o.Patience)
	}
	r, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	r.At = before.Add(after.Sub(before) / 2)
	return r, nil
}

// explain says what an error of the answer means for a page of metrics.
func explain(t Target, err error, patience time.Duration) error {
	var refusal *fetch.Refusal
	var other *fetch.OtherHost
	var large *fetch.TooLarge
	var wrong *fetch.Misuse
	switch {
	case errors.As(err, &wrong), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &refusal) && refusal.Code == 404 && t.maybe:
		return fmt.Errorf("%s: there is no such page", t)
	case errors.As(err, &refusal):
		hint := "curl it for a look at what answers"
		switch refusal.Code {
		case 404:
			hint = "the program has no such page: /metrics is client_golang's by custom, /debug/vars is expvar's"
		case 401, 403:
			hint = "give user and password in the URL"
		}
		return fmt.Errorf("%s: %w; %s", t, refusal, hint)
	case errors.As(err, &other):
		return fmt.Errorf("%s: %w", t, other)
	case errors.As(err, &large):
		return fmt.Errorf("%s: %w; name a page that has the program's own metrics only", t, large)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: no answer, or no end of it, after %g s; curl it for a look at what answers", t, patience.Seconds())
	}
	return fmt.Errorf("%s: %w; is the program there?", t, err)
}

// sleep waits for a time, or for the end of the context.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(max(0, d))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// restarts leaves the readings after the last start of the program, and
// reports whether that left something out.
func (s *series) restarts() bool {
	cut := 0
	for i := 1; i < len(s.readings); i++ {
		if Restarted(s.readings[i-1].Values, s.readings[i].Values) {
			cut = i
		}
	}
	s.readings = s.readings[cut:]
	return cut > 0
}

// result sums up what was read.
func (w *watch) result() (*model.RuntimeMetrics, error) {
	out := &model.RuntimeMetrics{Figures: []model.Metric{}, Signs: []model.MetricSign{}, Unknown: []model.MetricGap{}, Warnings: w.warnings}
	again := false
	odd := map[string]bool{}
	for _, s := range w.all {
		again = s.restarts() || again
	}
	if again {
		w.forget() // what was read of the process is another's
	}
	for _, s := range w.all {
		out.Sources = append(out.Sources, model.MetricSource{Name: s.name, Form: s.last().Form})
		out.Seconds = max(out.Seconds, s.last().At.Sub(s.readings[0].At).Seconds())
		out.Readings = max(out.Readings, len(s.readings))
		if s.last().Go != "" {
			out.Go = s.last().Go
		}
		for _, key := range s.last().Odd {
			odd[key] = true
		}
	}
	if again {
		out.Warnings = append(out.Warnings, restartWarning(out.Readings))
	}
	if len(odd) > 0 {
		out.Warnings = append(out.Warnings, oddWarning(odd))
	}
	l := &look{all: w.all, out: out}
	l.figures()
	l.signs()
	out.Unknown = append(l.unknown(), w.unknown...)
	return out, nil
}

// forget leaves out the process, which is not the one that answers now.
func (w *watch) forget() {
	if w.proc == nil {
		return
	}
	w.all = w.all[:len(w.all)-1]
	w.unknown = append(w.unknown, model.MetricGap{What: "CPU quota and throttling", Why: "the process that was there at first is not the program that answers now", Try: "the command again"})
}

func restartWarning(left int) model.Warning {
	w := model.Warning{Seen: "counters fell: the program was started again meanwhile", Cause: "it crashed, was killed for its memory, or was deployed; or several programs answer at this address in turn", Try: "its log; then the command again, at the address of one program"}
	if left < 2 {
		w.Seen += ". There are no rates"
	} else {
		w.Seen += ". What is said is of the time after that"
	}
	return w
}

func oddWarning(odd map[string]bool) model.Warning {
	keys := slices.Sorted(maps.Keys(odd))
	return model.Warning{Seen: "figures that cannot be are left out: " + strings.Join(keys, ", "), Cause: "negative or infinite numbers, numbers that are none, or buckets out of order"}
}
