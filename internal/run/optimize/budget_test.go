package optimize

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// What is set aside for comparing is what it takes, and no more than its share of the budget.
// A run about one change has no such comparison.
func TestReserve(t *testing.T) {
	bm := model.Benchmark{Pkg: "p", Name: "BenchmarkF"}
	for _, tt := range []struct {
		verb   string
		budget time.Duration
		duet   time.Duration
		want   time.Duration
	}{
		{"try", time.Hour, time.Second, 0},
		{"optimize", time.Hour, 0, finalUnits * linkTakes},
		{"optimize", time.Hour, time.Second, finalUnits*linkTakes + finalUnits*duetsPerLink*time.Second},
		{"optimize", 40 * time.Second, time.Second, 6 * time.Second},
	} {
		run := &model.Run{Plans: []model.Plan{{Benchmark: bm}}, Noise: []model.Noise{{Benchmark: bm, DuetNs: float64(tt.duet)}}}
		orig := &state.State{}
		b := &budget{total: tt.budget, start: time.Now()}
		if tt.verb == "optimize" {
			b.compare = (&final{run: run, stack: &stack{orig: orig, now: orig, offers: &offers{run: run}}}).needs
		}
		if got := b.reserve(); got != tt.want {
			t.Errorf("%s, %s, a duet of %s: %s, want %s", tt.verb, tt.budget, tt.duet, got, tt.want)
		}
	}
}

// All ends with the budget, less what is set aside to end in order or what else is meant to come
// after; and nothing that is granted beside has a later end.
func TestCeiling(t *testing.T) {
	b := &budget{total: time.Minute, start: time.Now()}
	ends := func(ctx context.Context, cancel context.CancelFunc) time.Duration {
		defer cancel()
		end, _ := ctx.Deadline()
		return end.Sub(b.start)
	}
	if got, want := ends(b.within(t.Context())), b.total-b.aside(); got != want {
		t.Errorf("it ends after %s, want %s", got, want)
	}
	if got := b.leaving(0.5); got > b.total/2 || got < b.total/2-10*time.Second {
		t.Errorf("%s until half of it is left", got)
	}
	if whole, left := b.leaving(0), b.left(); whole < left-10*time.Second || whole > left+time.Second {
		t.Errorf("%s until nothing is left but the end, want %s", whole, left)
	}
	b.start = b.start.Add(-b.total + b.aside() + time.Second) // a second is left for tryGrace and all else
	if got := b.leaving(0.5); got != 0 {
		t.Errorf("%s until half of it is left, in its last second", got)
	}
	run, stop := b.within(t.Context())
	defer stop()
	for name, of := range map[string]func(context.Context, attempt.Policy) (context.Context, context.CancelFunc){
		"trying": b.limited, "proving": b.toTheEnd, "a step": func(ctx context.Context, _ attempt.Policy) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, grant(b.left(), measureShare, leastMeasure))
		},
	} {
		if got, most := ends(of(run, attempt.Policy{})), b.total-b.aside(); got > most {
			t.Errorf("%s ends after %s, and all after %s", name, got, most)
		}
	}
}

// An interrupt is not the end of the budget.
func TestLate(t *testing.T) {
	over, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	inner, stop := context.WithTimeout(over, time.Hour)
	defer stop()
	interrupted, cancel := context.WithTimeout(t.Context(), time.Hour)
	cancel()
	if !late(over) || !late(inner) || late(interrupted) || late(t.Context()) {
		t.Error("they are not told apart")
	}
}

// A run that the budget ends says what for: at which stage, and what is not known.
func TestInTime(t *testing.T) {
	broken := errors.New("no space left on device")
	for _, tt := range []struct {
		name    string
		total   time.Duration
		plans   int
		err     error
		stopped string
		seen    string
		want    bool // an error
	}{
		{"to its end", time.Hour, 1, nil, "", "", false},
		{"broken", time.Hour, 0, broken, "", "", true},
		{"while it was built", 0, 0, context.DeadlineExceeded, "building", "no benchmark was measured", false},
		{"while it was profiled", 0, 2, context.DeadlineExceeded, "building", "nothing is known of what costs: 2 benchmarks measured, and none explained", false},
		{"tests that fail when it ended", 0, 0, &testbed.BrokenTree{}, "", "", true},
	} {
		run := &model.Run{Plans: make([]model.Plan, tt.plans)}
		s := of(kit{Run: run, log: &ledger{run: run}, budget: &budget{total: tt.total, start: time.Now()}, watch: newStopwatch(nil), opt: Options{Budget: tt.total}})
		err := s.InTime(t.Context(), func(context.Context) error {
			s.watch.Stage("building", "3 test binaries")
			s.watch.steps = nil
			return tt.err
		})
		if (err != nil) != tt.want || !strings.HasSuffix(run.Stopped, tt.stopped) || tt.stopped == "" && run.Stopped != "" {
			t.Errorf("%s: stopped %q, error %v", tt.name, run.Stopped, err)
		}
		seen := ""
		for _, w := range run.Warnings {
			seen += w.Seen
		}
		if seen != tt.seen {
			t.Errorf("%s: warns %q", tt.name, seen)
		}
	}
}

// A change is not begun where one takes longer than what is left until its proof.
func TestSpent(t *testing.T) {
	const total = time.Hour
	for _, tt := range []struct {
		left, aside time.Duration
		tries       pace
		want        bool
	}{
		{left: time.Minute},
		{left: 0, want: true},
		{left: 20 * time.Second, aside: 20 * time.Second, want: true},
		{left: 20 * time.Second, tries: pace{2, time.Minute}},
		{left: 14 * time.Second, tries: pace{2, time.Minute}, want: true},
		{left: 30 * time.Second, aside: 20 * time.Second, tries: pace{2, 20 * time.Second}},
		{left: 30 * time.Second, aside: 26 * time.Second, tries: pace{2, 20 * time.Second}, want: true},
	} {
		b := &budget{total: total, tries: tt.tries}
		b.start = time.Now().Add(tt.left + b.aside() - total)
		b.compare = func() (time.Duration, float64) { return tt.aside, 1 }
		if got := b.spent(); got != tt.want {
			t.Errorf("%+v: %t", tt, got)
		}
	}
}

// The first look goes on as long as others wait and its part of the budget has time for them.
func TestLooksOn(t *testing.T) {
	for _, tt := range []struct {
		budget, past, took time.Duration
		names              []string
		want               bool
	}{
		{90 * time.Second, 5 * time.Second, 5 * time.Second, []string{"A"}, true},
		{90 * time.Second, 5 * time.Second, 5 * time.Second, nil, false},
		{90 * time.Second, 7 * time.Second, 5 * time.Second, []string{"A"}, false},
		{time.Hour, 12 * time.Second, 5 * time.Second, []string{"A"}, true},
		{time.Hour, 18 * time.Second, 5 * time.Second, []string{"A"}, false},
	} {
		q := &queue{lasts: true}
		q.add(listed(tt.names...))
		s := of(kit{budget: &budget{total: tt.budget, start: time.Now().Add(-tt.past)}, queue: q})
		if got := s.looksOn(time.Now().Add(-tt.took)); got != tt.want {
			t.Errorf("%+v: %t", tt, got)
		}
	}
}
