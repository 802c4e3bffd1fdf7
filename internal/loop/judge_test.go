package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/trial"
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

// judged puts a patch to benchmarks of one package on such a machine.
func judged(t *testing.T, m machine, names ...string) *tried {
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
	bins := map[string]*bench.Binary{"p": {Pkg: "p"}}
	s := &Session{
		Run: &model.Run{}, opt: Options{Alpha: 0.05, MinEffect: 0.01, PerChange: time.Hour, Budget: time.Hour}, start: time.Now(),
		trial: trial.New(m, 1), rec: rec, now: &version{bins: bins},
	}
	for _, name := range names {
		p := model.Plan{Benchmark: model.Benchmark{Pkg: "p", Name: name}, N: 1000, Mode: model.Duet}
		s.judged = append(s.judged, p)
	}
	s.Run.Plans = s.judged
	got := &tried{Attempt: model.Attempt{Change: model.Change{ID: "x", Kind: KindPatch}, Outcome: model.RolledBack}, next: &version{bins: bins}}
	if err := s.judge(t.Context(), got, 1); err != nil {
		t.Fatal(err)
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
		got := &tried{Attempt: model.Attempt{Outcome: model.Kept}}
		_, err := new(Session).candidateFailed(t.Context(), got, tt.err)
		if (err != nil) != tt.system || (len(got.Checks) == 0) != tt.system || got.Outcome == model.Kept {
			t.Errorf("%v: the error %v, the checks %v, %s", tt.err, err, got.Checks, got.Outcome)
		}
	}
}
