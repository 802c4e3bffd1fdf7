package optimize

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// What is set aside for the end is what the comparison takes, and no more than
// its share of the budget. A run about one change has no such comparison.
func TestReserve(t *testing.T) {
	bm := model.Benchmark{Pkg: "p", Name: "BenchmarkF"}
	for _, tt := range []struct {
		verb   string
		budget time.Duration
		duet   time.Duration
		want   time.Duration
	}{
		{"try", time.Hour, time.Second, endLeast},
		{"optimize", time.Hour, 0, endLeast + finalUnits*linkTakes},
		{"optimize", time.Hour, time.Second, endLeast + finalUnits*linkTakes + finalUnits*duetsPerLink*time.Second},
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
		b := &budget{total: total, start: time.Now().Add(tt.left - total), tries: tt.tries}
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
