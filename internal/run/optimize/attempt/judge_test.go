package attempt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/judge"
)

// A machine on which a candidate takes a part of the base's time, by benchmark;
// where it says nothing of one, the candidate fails in it.
type machine map[string]float64

var errFatal = errors.New("candidate arm: BenchmarkB failed")

func (m machine) Unit(_ context.Context, p model.Plan, _, _ *bench.Binary, _ trial.Unit) ([2]model.Sample, error) {
	part, ok := m[p.Benchmark.Name]
	if !ok {
		return [2]model.Sample{}, errFatal
	}
	one := func(ns float64) model.Sample {
		return model.Sample{Benchmark: p.Benchmark, N: p.N, CPUNs: ns, WallNs: ns}
	}
	return [2]model.Sample{one(100), one(100 * part)}, nil
}

// recorded is a module with a run to write to.
func recorded(t *testing.T) *state.Module {
	t.Helper()
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	rec, err := st.NewRun("try", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	return &state.Module{Checkout: &testbed.Checkout{}, Run: rec, Watch: testbed.Watched(nil)}
}

// judged puts a patch to benchmarks of one package on such a machine.
func judged(t *testing.T, on machine, names ...string) *Attempt {
	t.Helper()
	m := recorded(t)
	var reached Reached
	for _, name := range names {
		reached.Plans = append(reached.Plans, model.Plan{Benchmark: model.Benchmark{Pkg: "p", Name: name}, N: 1000, Mode: model.Duet})
	}
	p := &Prover{
		M: m, Trial: trial.New(on, 1), Plans: reached.Plans, Alpha: 0.05, MinEffect: 0.01, PerChange: time.Hour,
		Left: func() time.Duration { return time.Hour },
	}
	got := p.begin(model.Change{ID: "x"}, Stranger(reached), time.Now())
	got.Base, got.Next, got.number = m.New("base"), m.New("c1"), 1
	r, err := got.duetsOfAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r != nil {
		got.refuse(*r)
	}
	return got
}

// What one benchmark gains is nothing when the next one does not run any more.
func TestJudgeFailure(t *testing.T) {
	got := judged(t, machine{"BenchmarkA": 0.5}, "BenchmarkA", "BenchmarkB")
	if got.Outcome != model.RolledBack || !strings.Contains(got.Reason, "BenchmarkB failed") {
		t.Errorf("%s: %s", got.Outcome, got.Reason)
	}
}

// Where any of several benchmarks would do to keep a patch, each has its part of
// the error that the change may spend.
func TestJudgeSeveral(t *testing.T) {
	m := machine{"BenchmarkA": 0.5, "BenchmarkB": 1.5} // so that it is not kept, which would take real processes
	names := []string{"BenchmarkA", "BenchmarkC", "BenchmarkD", "BenchmarkE", "BenchmarkF", "BenchmarkG", "BenchmarkH", "BenchmarkB"}
	for _, name := range names[1 : len(names)-1] {
		m[name] = 1
	}
	v := judged(t, m, names...).Verdicts[0]
	if least := float64(len(names)) * 2 / 0.05; v.Answer != model.Faster || v.Evidence < least {
		t.Errorf("one of %d benchmarks is %s at an e-value of %.0f; it takes %.0f", len(names), v.Answer, v.Evidence, least)
	}
}

// A full disk, or a process that the system does not start, says nothing of a
// change, and must not be remembered against it.
func TestCandidateFailed(t *testing.T) {
	full := fmt.Errorf("writing a sample: %w", &fs.PathError{Op: "write", Path: "base.txt", Err: syscall.ENOSPC})
	failed := fmt.Errorf("candidate arm: %w", &bench.Failure{Why: "failed"})
	late := errors.New("BenchmarkB of p: no result of 10 iterations within 1m0s")
	for _, tt := range []struct {
		err    error
		system bool
	}{{full, true}, {failed, false}, {late, false}} {
		got := new(Attempt).of(subject{Attempt: model.Attempt{Outcome: model.Kept}, policy: Own(model.Change{}), p: &Prover{}})
		r, err := got.candidateFailed(t.Context(), tt.err)
		if r != nil {
			got.refuse(*r)
		}
		if (err != nil) != tt.system || (len(got.Checks) == 0) != tt.system || got.Outcome == model.Kept {
			t.Errorf("%v: the error %v, the checks %v, %s", tt.err, err, got.Checks, got.Outcome)
		}
	}
}

// Progress shows an interval when it has both its ends.
func TestProgressOfADuet(t *testing.T) {
	bm := model.Benchmark{Pkg: "p", Name: "BenchmarkX"}
	d := judge.Decision{Units: 5, Estimate: -0.065, Lo: -1, Hi: math.Inf(1)}
	if got, want := DuetText(bm, trial.Progress{Units: 5, Decision: d}), "X: 5 duets, -6.5 %"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	d.Lo, d.Hi = -0.08, -0.05
	if got, want := DuetText(bm, trial.Progress{Units: 5, Decision: d}), "X: 5 duets, -6.5 % [-8.0, -5.0]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
