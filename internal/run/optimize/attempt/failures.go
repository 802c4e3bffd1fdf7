package attempt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
)

// candidateFailed turns a failure of the candidate's benchmark into a failed
// check, whatever other benchmarks have shown before; that of one which could
// not be measured because it fails on either side is one by chance. It passes on
// a cancelled context, and what the system refused: a full disk is no word on
// the change.
func (t *subject) candidateFailed(ctx context.Context, err error) (*refusal, error) {
	t.Outcome = model.RolledBack
	if OfTheGround(ctx, err) {
		return nil, cmp.Or(ctx.Err(), err)
	}
	c := model.Check{Name: benchmarkCheck, Detail: err.Error()}
	var u *trial.Unsteady
	if errors.As(err, &u) {
		c.Chance = []string{u.Benchmark.String()}
	}
	return t.add(c), nil
}

// errCopy is wrapped by errors that leave the copy of the tree as it should not
// be.
var errCopy = errors.New("the copy of the tree could not be put back as it was")

// Spoiled reports whether an error leaves the copy of the tree as it should not be.
func Spoiled(err error) bool { return errors.Is(err, errCopy) }

// OfTheGround reports whether an error says nothing of the change that was
// being tried: the run was interrupted, the system refused something, or the
// copy is spoiled. The next change would meet it, too.
func OfTheGround(ctx context.Context, err error) bool {
	var path *fs.PathError
	var start *exec.Error
	return ctx.Err() != nil || errors.Is(err, errCopy) || errors.As(err, &path) || errors.As(err, &start)
}

// doubt refuses a change with which a benchmark failed several times, and hardly
// without it: too rarely to refute it, too often to keep it.
func (t *subject) doubt(context.Context) (*refusal, error) {
	u := t.p.Trial.Doubt()
	if u == nil {
		return nil, nil
	}
	c := model.Check{
		Name: benchmarkCheck, Chance: []string{u.Benchmark.String()},
		Detail: fmt.Sprintf("%s failed %s: it may be the change that does it", u.Benchmark, u.Sides()),
	}
	t.Checks = append(t.Checks, c)
	return &refusal{unsteady, benchmarkCheck + ": " + c.Detail}, nil
}

// benchmarkCheck is the name of the check that benchmarks come to a result.
const benchmarkCheck = "benchmark"

// failedBenchmarks says which benchmarks came to no result now and then while
// the change was measured.
func (t *subject) failedBenchmarks() {
	var names []string
	for _, u := range t.p.Trial.Unsteady() {
		t.m.Warn(u.Warning())
		names = append(names, u.Benchmark.String())
	}
	ended := slices.ContainsFunc(t.Checks, func(c model.Check) bool { return c.Name == benchmarkCheck })
	if len(names) > 0 && !ended {
		t.Checks = append(t.Checks, model.Check{Name: benchmarkCheck, OK: true, Unsteady: names})
	}
}
