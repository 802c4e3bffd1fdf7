package compare

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

// A git command that the end of the budget killed has not said that there is no
// such ref, nor that a patch does not apply.
func TestKilledGitIsNoBadRef(t *testing.T) {
	over, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	place := &tree.Place{Git: true, Root: t.TempDir(), Head: "HEAD"}
	for _, opt := range []Options{{Verb: "gate"}, {Verb: "gate", Base: "main"}, {Verb: "compare", Base: "main", Candidate: "."}} {
		opt.Now = time.Now
		s := newSession(opt)
		s.cmp.Base = model.Side{Name: opt.Base, Kind: model.SideRef}
		err := (&trees{session: s, bed: &testbed.Testbed{Place: place}}).resolve(over)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s %q: %v", opt.Verb, opt.Base, err)
		}
		if err = s.ended(over, err); err != nil || s.cmp.Stopped != outOfTime {
			t.Errorf("%s %q: stopped by %q, %v", opt.Verb, opt.Base, s.cmp.Stopped, err)
		}
	}
}

// What one side has no result of is undecided where the time was over, however
// the other side has it; failed only where the candidate failed by itself.
func TestUnmatched(t *testing.T) {
	bm := func(name string) model.Benchmark { return model.Benchmark{Pkg: "m", Name: name} }
	late := func(name string) bench.Failure { return bench.Failure{Benchmark: bm(name), Late: true} }
	fails := func(name string) bench.Failure { return bench.Failure{Benchmark: bm(name), Why: "panicked"} }
	skips := func(name string) bench.Failure {
		return bench.Failure{Benchmark: bm(name), Why: "skipped itself", Skipped: true}
	}
	s := newSession(Options{Now: time.Now})
	listing{session: s}.unmatched(
		[]model.Benchmark{bm("Both"), bm("LateCand"), bm("FailsCand"), bm("Gone")},
		[]model.Benchmark{bm("Both"), bm("LateBase"), bm("FailsBase"), bm("New")},
		[]bench.Failure{late("LateBase"), late("LateBoth"), fails("FailsBase"), fails("FailsBoth"), fails("FailsThenLate"), skips("SkipsBoth"), skips("SkipsThenFails")},
		[]bench.Failure{late("LateCand"), late("LateBoth"), late("LateNew"), fails("FailsCand"), fails("FailsBoth"), late("FailsThenLate"), skips("SkipsBoth"), fails("SkipsThenFails")},
	)
	got := make(map[string]model.Standing)
	for _, c := range s.cmp.Benchmarks {
		if _, twice := got[c.Benchmark.Name]; twice || c.Why == "" {
			t.Errorf("%s: %s, again or without a reason", c.Benchmark.Name, c.Standing)
		}
		got[c.Benchmark.Name] = c.Standing
	}
	want := map[string]model.Standing{
		"LateCand": model.Open, "LateBase": model.Open, "LateBoth": model.Open, "LateNew": model.Open,
		"FailsCand": model.Failed, "SkipsThenFails": model.Failed, "FailsBase": model.OneSided, "Gone": model.OneSided, "New": model.OneSided,
	}
	for name, st := range want {
		if got[name] != st {
			t.Errorf("%s: %q, want %q", name, got[name], st)
		}
	}
	if len(got) != len(want) || len(s.cmp.Warnings) != 3 {
		t.Errorf("%v, and %d warnings", got, len(s.cmp.Warnings))
	}
}

// A side that came to no result in time takes nothing back that is known, and is
// no failure: the machine may be slow.
func TestLateIsNoFailure(t *testing.T) {
	for _, tt := range []struct {
		known, want model.Standing
		err         bench.Failure
	}{
		{model.Regressed, model.Regressed, bench.Failure{Late: true, Arm: model.Candidate}},
		{model.Clean, model.Open, bench.Failure{Late: true, Arm: model.Candidate}},
		{model.Open, model.Open, bench.Failure{Late: true}},
		{model.Open, model.Failed, bench.Failure{Arm: model.Candidate}},
	} {
		q := contestOf("X", [2]float64{}, 1)
		q.c.Standing = tt.known
		r := newRounds(judging{session: newSession(Options{Now: time.Now})}, nil)
		if err := r.failed(t.Context(), q, &tt.err); err != nil || !q.over || q.c.Standing != tt.want {
			t.Errorf("%+v: %s, want %s; %v", tt.err, q.c.Standing, tt.want, err)
		}
	}
}
