package trial

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// flaky is a machine on which either side fails with some probability.
type flaky struct {
	rng   *rand.Rand
	fails [2]float64
	late  bool
	tries int
}

func (m *flaky) Unit(_ context.Context, p model.Plan, _, _ *bench.Binary, _ Unit) ([2]model.Sample, error) {
	m.tries++
	for i, arm := range []model.Arm{model.Base, model.Candidate} {
		if m.rng.Float64() < m.fails[i] {
			return [2]model.Sample{}, &bench.Failure{Benchmark: p.Benchmark, Arm: arm, Why: "failed", Late: m.late}
		}
	}
	s := model.Sample{Benchmark: p.Benchmark, N: p.N, CPUNs: 100, WallNs: 100}
	return [2]model.Sample{s, s}, nil
}

// question asks whether two sides differ on a machine, and returns what failed.
func (m *flaky) question(t *testing.T, seed uint64) ([]*Unsteady, error) {
	t.Helper()
	m.rng = rand.New(rand.NewPCG(seed, 2))
	tr := New(m, seed)
	_, err := tr.Ask(t.Context(), Question{Plan: plan, Base: &bench.Binary{}, Cand: &bench.Binary{}, Rules: verdict.Rules{Judge: judge.AdoptRules()}}, nil)
	return tr.Unsteady(), err
}

func TestFailuresOfTheCandidate(t *testing.T) {
	var f *bench.Failure
	var u *Unsteady

	m := &flaky{fails: [2]float64{0, 1}}
	failed, err := m.question(t, 1)
	if errors.As(err, &u) || !errors.As(err, &f) || m.tries != leastFailures || len(failed) != 1 || failed[0].Cand != leastFailures {
		t.Errorf("a candidate that always fails: %v after %d tries, %+v", err, m.tries, failed)
	}
	if !strings.HasPrefix(err.Error(), "with the change it fails (6 of 6 tries), without it it passes: ") || !strings.HasPrefix(failed[0].Warning().Cause, "the change breaks it") {
		t.Errorf("%v\n%+v", err, failed[0].Warning())
	}

	m = &flaky{fails: [2]float64{1, 1}}
	if _, err = m.question(t, 1); !errors.As(err, &u) || u.Base != mostTries || u.Cand != 0 {
		t.Errorf("both always fail: %v", err)
	}

	m = &flaky{fails: [2]float64{0, 1}, late: true}
	if _, err = m.question(t, 1); !errors.As(err, &f) || m.tries != 1 {
		t.Errorf("a candidate that hangs: %v after %d tries", err, m.tries)
	}

	m = &flaky{}
	if failed, err = m.question(t, 1); err != nil || len(failed) > 0 {
		t.Errorf("none fails: %v, %+v", err, failed)
	}
}

// A candidate that fails several times, and the base not, is neither refuted nor
// fine.
func TestDoubt(t *testing.T) {
	for _, tt := range []struct {
		base, cand int
		want       bool
	}{{0, 0, false}, {0, 2, false}, {0, 3, true}, {1, 5, false}, {1, 6, true}, {4, 0, false}} {
		tr := New(&flaky{}, 1)
		tr.failed[plan.Benchmark] = &Unsteady{Benchmark: plan.Benchmark, Base: tt.base, Cand: tt.cand}
		if u := tr.Doubt(); (u != nil) != tt.want {
			t.Errorf("%d failures of the base, %d of the candidate: doubt %v, want %v", tt.base, tt.cand, u, tt.want)
		}
	}
}

// A failure that is as likely on both sides must not refute a change more often
// than the rule says, and mostly does not keep it from being measured.
func TestFailuresByChance(t *testing.T) {
	simulation(t)
	const runs = 2000
	for _, p := range []float64{0.01, 0.05, 0.2, 0.5} {
		failing, refuted, open := 0, 0, 0
		for seed := range uint64(runs) {
			m := &flaky{fails: [2]float64{p, p}}
			failed, err := m.question(t, seed)
			var u *Unsteady
			switch {
			case errors.As(err, &u):
				open++
			case err != nil:
				refuted++
			}
			if len(failed) > 0 {
				failing++
			}
		}
		t.Logf("p = %v: %d of %d had failures, %d were refuted, %d open", p, failing, runs, refuted, open)
		if refuted > failing/34+20 { // three standard deviations above it
			t.Errorf("p = %v: %d of %d that failed by chance alone were refuted", p, refuted, failing)
		}
		if p <= 0.2 && open > runs/100 {
			t.Errorf("p = %v: %d of %d could not be measured", p, open, runs)
		}
	}
}

// A comparison of the base with itself blames nobody.
func TestFailuresOfTheBaseWithItself(t *testing.T) {
	m := &flaky{rng: rand.New(rand.NewPCG(1, 2)), fails: [2]float64{0, 0.5}}
	tr := New(m, 1)
	base := &bench.Binary{}
	for range 10 {
		if _, err := tr.run(t.Context(), plan, base, base, Unit{}); err != nil {
			t.Fatal(err)
		}
	}
	failed := tr.Unsteady()
	if len(failed) != 1 || failed[0].Cand != 0 || failed[0].Base == 0 {
		t.Errorf("%+v", failed)
	}
	if len(tr.Unsteady()) > 0 {
		t.Error("failures are told twice")
	}
}
