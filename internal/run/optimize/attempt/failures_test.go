package attempt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
)

// A benchmark that fails on both sides is no word on the change; one that fails
// with the change only is.
func TestCandidateFailedByChance(t *testing.T) {
	bm := model.Benchmark{Pkg: "p", Name: "BenchmarkX"}
	f := &bench.Failure{Benchmark: bm, Arm: model.Candidate, Why: "failed", Code: 1}
	for _, tt := range []struct {
		err    error
		chance int
		want   model.Outcome
	}{
		{&trial.Unsteady{Benchmark: bm, Base: 2, Cand: 10, Last: f}, 1, model.Unsettled},
		{errors.Join(f), 0, model.RolledBack},
	} {
		try := new(Attempt).of(subject{Attempt: model.Attempt{Outcome: model.Kept}, policy: Own(model.Change{}), p: &Prover{}})
		r, err := try.candidateFailed(t.Context(), tt.err)
		if r != nil {
			try.refuse(*r)
		}
		if r == nil || err != nil || try.Outcome != tt.want || try.Reason == "" {
			t.Errorf("%v: refused %v, error %v, %+v", tt.err, r, err, try.Attempt)
		}
		if len(try.Checks) != 1 || try.Checks[0].OK || len(try.Checks[0].Chance) != tt.chance {
			t.Errorf("%v: %+v, want %d by chance", tt.err, try.Checks, tt.chance)
		}
	}
}

// A line that names the package says nothing of what is wrong with it.
func TestReasonOfBuild(t *testing.T) {
	try := new(Attempt).of(subject{p: &Prover{}})
	r := try.add(model.Check{Name: "types", Detail: "# example.com/m\n./m.go:3:9: undefined: x\n"})
	if want := "types: ./m.go:3:9: undefined: x"; r == nil || r.text != want {
		t.Errorf("got %+v, want %s", r, want)
	}
}

// What is about one candidate does not end a run: it is said of the candidate,
// which is not refuted by it. What the next candidate would meet, too, does.
func TestUntried(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	full := &fs.PathError{Op: "write", Path: "x.go", Err: syscall.ENOSPC}
	for _, tt := range []struct {
		ctx    context.Context
		err    error
		ground bool
	}{
		{t.Context(), testbed.Usage("a/a.go is outside the module m"), false},
		{t.Context(), errors.New("applying: the edits overlap"), false},
		{t.Context(), fmt.Errorf("applying: %w", full), true},
		{t.Context(), errors.Join(errors.New("x"), errCopy, errors.New("no such file")), true},
		{t.Context(), fmt.Errorf("vet: %w", &exec.Error{Name: "go", Err: exec.ErrNotFound}), true},
		{ended, errors.New("signal: killed"), true},
	} {
		if got := OfTheGround(tt.ctx, tt.err); got != tt.ground {
			t.Errorf("%v: of the ground %v", tt.err, got)
		}
	}
	try := new(Attempt).of(subject{Attempt: model.Attempt{Outcome: model.Kept, Verdicts: []model.Verdict{{Answer: model.Faster}}}, p: &Prover{}})
	try.Untried(errors.New("no package in a\nat all"))
	if a := try.Attempt; a.Outcome != model.Unsettled || a.Reason != "could not be tried: no package in a" ||
		len(a.Verdicts) != 0 || len(a.Checks) != 1 || a.Checks[0].OK || a.Checks[0].Name != "attempt" {
		t.Errorf("%+v", a)
	}
}

// An attempt that ends with the time names what it was at; where the run is about it alone, also what helps.
func TestOutOfTime(t *testing.T) {
	for _, tt := range []struct {
		alone bool
		steps []model.Step
		want  string
	}{
		{false, nil, "could not be tried: the time for trying was over"},
		{false, []model.Step{{Name: "vet", Seconds: 2}, {Name: "tests", Seconds: 41}}, "could not be tried: the time for trying was over, after 41 s of tests"},
		{true, []model.Step{{Name: "tests", Seconds: 41}}, "could not be tried: the time for trying was over, after 41 s of tests; a larger -budget goes further"},
	} {
		try := new(Attempt).of(subject{Attempt: model.Attempt{Steps: tt.steps}, p: &Prover{}, policy: Policy{alone: tt.alone}})
		try.OutOfTime()
		if try.Outcome != model.Unsettled || try.Reason != tt.want {
			t.Errorf("%s, %q, want %q", try.Outcome, try.Reason, tt.want)
		}
	}
}
