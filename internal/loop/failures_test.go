package loop

import (
	"errors"
	"testing"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/trial"
)

// A benchmark that fails on both sides is no word on the change; one that fails
// with the change only is.
func TestCandidateFailedByChance(t *testing.T) {
	bm := model.Benchmark{Pkg: "p", Name: "BenchmarkX"}
	f := &bench.Failure{Benchmark: bm, Arm: model.Candidate, Why: "failed", Code: 1}
	for _, tt := range []struct {
		err    error
		chance int
	}{
		{&trial.Unsteady{Benchmark: bm, Base: 2, Cand: 10, Last: f}, 1},
		{errors.Join(f), 0},
	} {
		try := &tried{Attempt: model.Attempt{Outcome: model.Kept}}
		ok, err := new(Session).candidateFailed(t.Context(), try, tt.err)
		if ok || err != nil || try.Outcome != model.RolledBack || try.Reason == "" {
			t.Errorf("%v: ok %v, error %v, %+v", tt.err, ok, err, try.Attempt)
		}
		if len(try.Checks) != 1 || try.Checks[0].OK || len(try.Checks[0].Chance) != tt.chance {
			t.Errorf("%v: %+v, want %d by chance", tt.err, try.Checks, tt.chance)
		}
	}
}
