package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// maxCrashes is how many benchmarks of one package may end the process before
// listing them is given up.
const maxCrashes = 20

// Benchmarks lists the leaf benchmarks that match pattern, which has the
// meaning of go test's -bench: each is run for one iteration, because only
// that shows its sub-benchmarks. Names have no -N suffix.
//
// A benchmark that fails, ends the process, or skips itself is returned as a
// Failure; after one that ended the process the others are run in a new one.
// All of it takes timeout at most. A process has half of what is left of
// it: the benchmark that is running then is a Failure, too, and what comes
// after it has the other half.
// The error is for what concerns them all: a pattern that is no regular
// expression, a TestMain that does not run them, or not in time.
func (s *Suite) Benchmarks(ctx context.Context, b *Binary, pattern string, timeout time.Duration) (found []model.Benchmark, failed []Failure, err error) {
	list, failed, err := s.List(ctx, b, pattern, timeout)
	for _, l := range list {
		found = append(found, l.Benchmark)
	}
	return found, failed, err
}

// A Listed benchmark is one that was seen to run.
type Listed struct {
	model.Benchmark
	First    time.Duration // CPU time of one iteration, timed set-up included; a first impression
	Parallel bool          // it called RunParallel
}

// List is Benchmarks, with what their one iteration took.
func (s *Suite) List(ctx context.Context, b *Binary, pattern string, timeout time.Duration) (found []Listed, failed []Failure, err error) {
	deadline := time.Now().Add(timeout)
	var skip []string
	for range maxCrashes {
		left := time.Until(deadline)
		j := job{bin: b, pattern: pattern, n: 1, procs: 1, cpu: gocmd.NoCPU, timeout: min(left, max(left/2, leastListing)), args: []string{"-test.v"}}
		if len(skip) > 0 {
			j.args = append(j.args, "-test.skip="+strings.Join(skip, "|"))
		}
		o, err := s.run(ctx, j)
		found = append(found, leaves(o.records, b.Pkg)...)
		if name := running(o.records); errors.Is(err, errLate) && name != "" {
			f := j.stuck(name)
			f.Last = time.Until(deadline) < leastListing/5
			failed = append(failed, f)
			if f.Last {
				return found, failed, nil
			}
			skip = append(skip, append(through(o.records), exactPattern(name))...)
			continue
		}
		if err != nil {
			return found, failed, err
		}
		bad := failures(o, b.Pkg)
		failed = append(failed, bad...)
		crashed := slices.ContainsFunc(bad, func(f Failure) bool { return f.Why == endedProcess })
		if !crashed {
			return found, failed, j.leftOver(o, bad)
		}
		skip = append(skip, through(o.records)...)
	}
	return found, failed, fmt.Errorf("%d benchmarks of %s ended their process, or were ended; choose others with -bench", maxCrashes, b.Pkg)
}

// leastListing is how long a process that lists benchmarks may take at the
// least, where there is that much time.
const leastListing = 5 * time.Second

// running returns the benchmark that was running when its process was ended: the
// last that began and did not end, "" for none.
func running(records []record) string {
	ended := make(map[string]bool)
	for _, r := range slices.Backward(records) {
		switch r.word {
		case "start":
			if !ended[r.name] {
				return r.name
			}
		case "end", "result":
			ended[r.name] = true
		}
	}
	return ""
}

// stuck returns the failure of a benchmark that was running when the time of a
// process for several ones was over.
func (j job) stuck(name string) Failure {
	return Failure{
		Benchmark: model.Benchmark{Pkg: j.bin.Pkg, Name: name}, Code: -1, Late: true,
		Why: fmt.Sprintf("was running when the %v for one iteration of each benchmark were over", j.timeout.Round(time.Millisecond)),
	}
}

// leftOver returns the error of a process that did not end well although no
// benchmark in it failed.
func (j job) leftOver(o outcome, bad []Failure) error {
	if o.exit.Code == 0 || slices.ContainsFunc(bad, func(f Failure) bool { return !f.Skipped }) {
		return nil
	}
	when := "after its benchmarks"
	if len(o.records) == 0 {
		when = "before any benchmark ran"
	}
	return &Ended{Pkg: j.bin.Pkg, How: fmt.Sprintf("ended with exit code %d %s", o.exit.Code, when), Output: excerpt(o.exit, "")}
}

// An Ended is a test binary whose process did not end well, although no benchmark in it
// failed: what TestMain does, say.
type Ended struct{ Pkg, How, Output string }

func (e *Ended) Error() string {
	return fmt.Sprintf("the test binary of %s %s:\n%s", e.Pkg, e.How, e.Output)
}

// leaves returns the benchmarks that came to their result.
func leaves(records []record, pkg string) []Listed {
	var out []Listed
	ran := make(map[string]record)
	for _, r := range records {
		if r.word == "run" {
			ran[r.name] = r
		}
		if r.word == "result" && !r.bit("failed") {
			run := ran[r.name]
			out = append(out, Listed{model.Benchmark{Pkg: pkg, Name: r.name}, time.Duration(run.values["cpu"]), run.bit("par")})
		}
	}
	return out
}

// through returns patterns for what need not be run again after a crash: top
// levels that were left, and in the one that crashed each benchmark that
// began and has none below it.
func through(records []record) []string {
	var names []string
	ended := make(map[string]bool)
	for _, r := range records {
		if r.word == "start" && !slices.Contains(names, r.name) {
			names = append(names, r.name)
		}
		if r.word == "end" && r.bit("returned") {
			ended[r.name] = true
		}
	}
	var out []string
	for _, n := range names {
		top, _, sub := strings.Cut(n, "/")
		switch {
		case !sub && ended[n]:
			out = append(out, exactPattern(n))
		case sub && ended[top]:
		case !hasBelow(names, n, func(string) bool { return true }):
			out = append(out, exactPattern(n))
		}
	}
	return out
}
