package attempt

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// censusShare is the part of what is left of the budget that one process of a
// census may take.
const censusShare = 5

// Count is the first look at a change of somebody else that runs it: does it
// build, and does a benchmark of the run allocate more? Both are
// certain in seconds, and what refuses here would be refused after all that
// takes minutes. The tree holds base before and after it. number is that of the
// change in this run.
func (p *Prover) Count(ctx context.Context, base *state.State, c model.Change, number int) (a model.Attempt, refused bool, err error) {
	start := time.Now()
	p.M.Watch.Stage("counting allocations", c.Title)
	t := p.begin(c, Stranger(Reached{}), start)
	t.Base, t.number = base, number
	if t.Diff, err = t.look(ctx, c); err != nil {
		return a, false, err
	}
	if err := t.apply(c); err != nil {
		return a, false, err
	}
	t.listAgain(ctx)
	r, err := t.types(ctx)
	if r == nil && err == nil {
		t.beginLink(ctx)
		r, err = t.linked()
	}
	if r == nil && err == nil {
		p.rising, err = p.more(ctx, base, t.Next)
		if len(p.rising) > 0 && !t.allowsTrades() {
			t.Counts = slices.Concat(p.rising...)
			r = &refusal{traded, allocatesMore(p.rising[0][:1])}
		}
	}
	if uerr := t.undo(); uerr != nil {
		return a, false, errors.Join(errCopy, uerr)
	}
	if r == nil || err != nil {
		p.built = t.Next
		return a, false, err
	}
	t.Next.Drop()
	t.refuse(*r)
	t.Seconds = time.Since(start).Seconds()
	return t.Attempt, true, nil
}

// Built returns what Count has built of a change that it let through, until that
// is tried or forgotten; else nil.
func (p *Prover) Built() *state.State { return p.built }

// Forget drops what Count has built of a change that was not tried then.
func (p *Prover) Forget() {
	p.built.Drop()
	p.built = nil
}

// more returns the counts of each benchmark that allocates more objects in next than in
// base for certain.
func (p *Prover) more(ctx context.Context, base, next *state.State) (more [][]model.Exact, err error) {
	found, err := p.census(ctx, base, next, func(string) string { return p.Pattern }, p.Left()/censusShare, rises)
	for _, counts := range found {
		if rises(counts) {
			more = append(more, counts)
		}
	}
	return more, err
}

// census counts what the benchmarks of the run allocate whose program differs and that match the
// pattern of their package, in the order of their names; wanted is as for trial.Census, and one
// process may take limit.
func (p *Prover) census(ctx context.Context, base, next *state.State, pattern func(pkg string) string, limit time.Duration, wanted func([]model.Exact) bool) (all [][]model.Exact, err error) {
	suite := p.M.Suite
	for _, pkg := range p.M.Names() {
		of := pattern(pkg)
		if of == "" || next.SameProgram(base, pkg) {
			continue
		}
		found, err := trial.Census{
			Suites: [2]trial.CensusTaker{suite, suite}, Bins: [2]*bench.Binary{base.Binary(pkg), next.Binary(pkg)},
			Pattern: of, Limit: limit, Wanted: wanted,
		}.Count(ctx)
		if err != nil {
			return nil, err
		}
		byName := func(a, b model.Benchmark) int { return strings.Compare(a.Name, b.Name) }
		for _, bm := range sorted.Of(maps.Keys(found), byName) {
			if counts := found[bm].Counts; len(counts) > 0 {
				all = append(all, counts)
			}
		}
	}
	return all, nil
}

// rises is what refuses a change in seconds: what falls is counted when it is measured.
func rises(counts []model.Exact) bool { return Rose(counts, "allocs/op") }
