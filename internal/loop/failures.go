package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/trial"
)

// candidateFailed turns a failure of the candidate's benchmark into a failed
// check, whatever other benchmarks have shown before; that of one which could
// not be measured because it fails on either side is one by chance. It passes on
// a cancelled context, and what the system refused: a full disk is no word on
// the change.
func (s *Session) candidateFailed(ctx context.Context, t *tried, err error) (bool, error) {
	t.Outcome = model.RolledBack
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if refused := (*fs.PathError)(nil); errors.As(err, &refused) {
		return false, err
	}
	c := model.Check{Name: benchmarkCheck, Detail: err.Error()}
	var u *trial.Unsteady
	if errors.As(err, &u) {
		c.Chance = []string{u.Benchmark.String()}
	}
	return t.add(c, nil)
}

// doubt ends an attempt whose benchmark failed several times with the change and
// hardly without it: too rarely to refute it, too often to keep it. It reports
// whether the attempt may go on.
func (s *Session) doubt(t *tried) bool {
	u := s.trial.Doubt()
	if u == nil {
		return true
	}
	t.Outcome = model.RolledBack
	t.Checks = append(t.Checks, model.Check{
		Name: benchmarkCheck, Chance: []string{u.Benchmark.String()},
		Detail: fmt.Sprintf("%s failed %s: it may be the change that does it", u.Benchmark, u.Sides()),
	})
	t.Reason = benchmarkCheck + ": " + t.Checks[len(t.Checks)-1].Detail
	return false
}

// benchmarkCheck is the name of the check that benchmarks come to a result.
const benchmarkCheck = "benchmark"

// failedBenchmarks says which benchmarks came to no result now and then while
// the change was measured.
func (s *Session) failedBenchmarks(t *tried) {
	var names []string
	for _, u := range s.trial.Unsteady() {
		s.warn(u.Warning())
		names = append(names, u.Benchmark.String())
	}
	ended := slices.ContainsFunc(t.Checks, func(c model.Check) bool { return c.Name == benchmarkCheck })
	if len(names) > 0 && !ended {
		t.Checks = append(t.Checks, model.Check{Name: benchmarkCheck, OK: true, Unsteady: names})
	}
}

// patientTries is how often a run that is to show something is tried.
const patientTries = 3

// patiently runs a benchmark for what it shows, and again where that fails: no
// verdict rests on it, and one that fails by chance must not end all.
func patiently(ctx context.Context, step func() error) (err error) {
	for range patientTries {
		err = step()
		var f *bench.Failure
		late := errors.As(err, &f) && f.Late
		if err == nil || late || errors.Is(err, bench.ErrFewMarks) || ctx.Err() != nil {
			break
		}
	}
	return err
}

// failureWarning says of a benchmark that failed that it is left out.
func failureWarning(f bench.Failure) model.Warning {
	run := "go test -run '^$' -bench '" + f.Benchmark.Regexp() + "' " + f.Benchmark.Pkg
	w := model.Warning{Seen: f.Benchmark.Name + " is left out: it " + f.Why, Cause: f.Output, Try: run}
	if f.Late {
		w.Cause = "it takes long, or does not end; a part of the budget is for measuring the base"
		w.Try = "a larger -budget, or other benchmarks with -bench; " + run + " shows how long it takes"
	}
	if f.Last {
		w.Seen += ", and so are those of its package that come after it"
	}
	return w
}

// nextOf says what to do where all benchmarks fail, and the first like this.
func nextOf(f bench.Failure) string {
	if f.Late {
		return "mend it if it does not end; else give a larger -budget, or choose others with -bench"
	}
	return "mend them, or choose others with -bench"
}

// brokenBenchmarks is the error of benchmarks that all fail, and the first like
// this.
func brokenBenchmarks(f bench.Failure) error {
	return &stand.BrokenTree{Name: "the base", What: "has benchmarks that fail", Detail: f.Error(), Next: nextOf(f)}
}
