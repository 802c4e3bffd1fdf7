package optimize

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// clock measures each benchmark as its name says: one that is called Fail fails.
type clock struct{}

func (clock) Unit(_ context.Context, p model.Plan, _, _ *bench.Binary, _ trial.Unit) ([2]model.Sample, error) {
	if p.Benchmark.Name == "BenchmarkFail" {
		return [2]model.Sample{}, &bench.Failure{Benchmark: p.Benchmark, Why: "fails"}
	}
	s := model.Sample{Benchmark: p.Benchmark, N: p.N, CPUNs: 100, WallNs: 100}
	return [2]model.Sample{s, s}, nil
}

// resumed is a session that goes on with a run which has kept something: what it stands on is
// another version than it began with, and of its benchmarks only the first is measured.
func resumed(t *testing.T, total time.Duration, names ...string) *Session {
	t.Helper()
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	rec, err := st.NewRun("optimize", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	s := of(kit{Run: &model.Run{}, budget: &budget{total: total, start: time.Now()}, opt: Options{Budget: total, Watch: testbed.Watched(nil)}})
	s.m = &state.Module{Checkout: &testbed.Checkout{}, Run: rec, Watch: s.opt.Watch, Warn: func(w model.Warning) { s.Run.Warnings = append(s.Run.Warnings, w) }}
	s.prover = &attempt.Prover{M: s.m, Trial: trial.New(clock{}, 1), Alpha: 0.05, PerChange: time.Second, Left: s.budget.forTrying}
	s.stack = &stack{orig: s.m.New("base"), now: s.m.New("resumed")}
	s.queue = &queue{lasts: true}
	s.queue.add(listed(names...))
	for i := range s.queue.waiting {
		s.queue.waiting[i].plan = &model.Plan{Benchmark: s.queue.waiting[i].bm, N: 10, Mode: model.Duet}
	}
	s.Run.Plans = []model.Plan{*s.queue.take(s.queue.next()).plan}
	s.surveyed()
	return s
}

func (s *Session) plans() (names []string) {
	for _, p := range s.Run.Plans {
		names = append(names, p.Benchmark.Name)
	}
	return names
}

// A run that goes on measures those of its benchmarks that still wait a few at a time, for
// the version that it began with and for the one that it stands on. One that fails is left out
// with a word, and those behind it go on waiting.
func TestFurtherResumed(t *testing.T) {
	s := resumed(t, time.Hour, "A", "B", "Fail", "C", "D")
	if err := s.survey().further(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.surveyed()
	if diff := cmp.Diff([]string{"BenchmarkA", "BenchmarkB"}, s.plans()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"C", "D"}, s.queue.names()); diff != "" {
		t.Error("waiting:", diff)
	}
	if len(s.Run.Warnings) != 1 || !strings.Contains(s.Run.Warnings[0].Seen, "BenchmarkFail is left out") {
		t.Errorf("%+v", s.Run.Warnings)
	}
	b := s.Run.Plans[1].Benchmark
	for _, v := range []*state.State{s.stack.orig, s.stack.now} {
		if got := v.Stats(b); got.CPUNs != 100 {
			t.Errorf("%s: %+v", b, got)
		}
	}
	if len(s.prover.Plans) != 2 || len(s.Run.Noise) != 1 {
		t.Errorf("%d benchmarks can judge, of %d it is known what they see", len(s.prover.Plans), len(s.Run.Noise))
	}
	if err := s.survey().further(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"BenchmarkA", "BenchmarkB", "BenchmarkC", "BenchmarkD"}, s.plans()); diff != "" || len(s.queue.waiting) > 0 {
		t.Errorf("%s, and %v wait", diff, s.queue.names())
	}
}

// What a change must not pay with is looked up among those that wait, and they go on waiting.
func TestWaitingResumed(t *testing.T) {
	s := resumed(t, time.Hour, "A", "B", "C", "D")
	plans, err := s.waiting(t.Context(), 2)
	if err != nil || len(plans) != 2 || plans[0].Benchmark.Name != "BenchmarkB" || plans[1].Benchmark.Name != "BenchmarkC" {
		t.Errorf("%+v, %v", plans, err)
	}
	if diff := cmp.Diff([]string{"B", "C", "D"}, s.queue.names()); diff != "" {
		t.Error(diff)
	}
}

// A run whose time is over while benchmarks still wait says how many are measured; it measures
// no more.
func TestFurtherSpent(t *testing.T) {
	s := resumed(t, 0, "A", "B", "C")
	changes, more, err := s.further(t.Context())
	if changes != nil || more || err != nil {
		t.Errorf("%v, %t, %v", changes, more, err)
	}
	if want := "1 of 3 benchmarks are measured and profiled"; !strings.HasSuffix(s.Run.Stopped, want) {
		t.Errorf("%q, want %q", s.Run.Stopped, want)
	}
	s.queue.waiting, s.Run.Stopped = nil, ""
	if _, more, err := s.further(t.Context()); more || err != nil || s.Run.Stopped != "" {
		t.Errorf("nothing waits: %t, %v, %q", more, err, s.Run.Stopped)
	}
}

// Benchmarks that run a patch, and that there was no time for, are named.
func TestUnasked(t *testing.T) {
	s := resumed(t, time.Hour, "A", "B", "C")
	plans := s.Run.Plans
	for _, w := range s.queue.waiting {
		plans = append(plans, *w.plan)
	}
	s.Run.Plans = nil
	late, err := s.survey().each(t.Context(), plans, time.Unix(1, 0), s.survey().glance)
	if err != nil {
		t.Fatal(err)
	}
	if s.unasked(nil); len(s.Run.Warnings) != 0 {
		t.Errorf("%+v", s.Run.Warnings)
	}
	s.unasked(late)
	if diff := cmp.Diff([]string{"BenchmarkA"}, s.plans()); diff != "" {
		t.Error(diff)
	}
	if w := s.Run.Warnings; len(w) != 1 || w[0].Seen != "CPU time was not compared in B, C" {
		t.Errorf("%+v", w)
	}
}
