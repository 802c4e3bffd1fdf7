package optimize

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/judge"
)

// A final is the comparison of what the run began with and what it ends with.
type final struct {
	m         *state.Module
	prover    *attempt.Prover
	base, now *state.State
	left      func() time.Duration // of the run's budget
	pools     map[string]*linkPool // by import path
}

// links are fresh links of a package, the same for all of its benchmarks; nil
// where there can be none.
func (f *final) links(pkg string) trial.Links {
	if p := f.pools[pkg]; p != nil {
		return p.draw()
	}
	links, ok := f.now.Links(f.base, pkg)
	if !ok {
		return nil
	}
	f.pools[pkg] = &linkPool{links: links}
	return f.pools[pkg].draw()
}

func (f *final) close() {
	for _, p := range f.pools {
		p.close()
	}
}

// differ counts the benchmarks, of some plans, that have to be compared.
func (f *final) differ(plans []model.Plan) (n int) {
	for _, p := range plans {
		if f.now != f.base && !f.now.SameProgram(f.base, p.Benchmark.Pkg) {
			n++
		}
	}
	return n
}

// soFar is a result without the comparison of original and final.
func (f *final) soFar(bm model.Benchmark) model.Result {
	r := model.Result{Benchmark: bm, Before: f.base.Stats(bm)}
	if f.now != f.base {
		r.After = f.now.Stats(bm)
	}
	return r
}

// finalUnits is how many units the comparison of original and final takes at
// the least, pairs of fresh links as a rule: its figure is the one that is
// quoted.
const finalUnits = 10

// finalRuns is how many interleaved pairs with the stock testing package it
// takes: enough to contradict a verdict grossly, not to make one.
const finalRuns = 5

// result compares original and final in one benchmark, within so much time.
func (f *final) result(ctx context.Context, p model.Plan, within time.Duration) (model.Result, error) {
	bm := p.Benchmark
	r := model.Result{Benchmark: bm, Before: f.base.Stats(bm)}
	if f.now == f.base {
		return r, ctx.Err()
	}
	if f.now.SameProgram(f.base, bm.Pkg) {
		return r, ctx.Err()
	}
	f.m.Watch.Stage("original against final", bm.String())
	until := time.Now().Add(within)
	rules := judge.RegressRules()
	rules.Alpha = f.prover.Alpha / float64(len(f.prover.Plans))
	q := trial.Question{
		Plan: p, Base: f.base.Binary(bm.Pkg), Cand: f.now.Binary(bm.Pkg),
		Rules: verdict.Rules{Judge: rules, MinUnits: finalUnits}, Budget: min(f.prover.PerChange, max(within-besides(p), time.Millisecond)), Links: f.links(bm.Pkg),
	}
	a, err := f.prover.Trial.AskOnLinks(ctx, q, func(pr trial.Progress) { f.m.Watch.Detail(attempt.DuetText(bm, pr)) })
	if err != nil {
		return r, err
	}
	if err := f.m.SaveSamples(bm, "final", a.Samples); err != nil {
		return r, err
	}
	r.Verdict = &a.Verdict
	if r.Counts, _, err = f.prover.Trial.Counts(ctx, p, f.base.Binary(bm.Pkg), f.now.Binary(bm.Pkg), 1); err != nil {
		return r, err
	}
	st := verdict.Figures(p.Mode, a.Samples, r.Counts)
	r.Before, r.After = st[0], st[1]
	if time.Now().After(until) {
		return r, nil
	}
	return r, f.complete(ctx, p, &r)
}

// besides is how long the figures take that duets cannot tell.
func besides(p model.Plan) time.Duration {
	const processes = 2*finalRuns + 4 // of solo runs, and of those that look at the heap
	return time.Duration(processes * (p.SliceNs + p.SetupNs))
}

// complete adds to a result what duets cannot tell: wall time under stock
// conditions, and the heap that the loop keeps.
func (f *final) complete(ctx context.Context, p model.Plan, r *model.Result) error {
	bm := p.Benchmark
	base, err := f.base.Stock(ctx, bm.Pkg)
	if err != nil {
		return err
	}
	final, err := f.now.Stock(ctx, bm.Pkg)
	if err != nil {
		return err
	}
	solo, err := f.m.Solo(ctx, base, final, p, finalRuns)
	if err != nil {
		return err
	}
	r.Solo = &solo
	if p.Mode == model.Duet { // else it is what was judged
		r.Before.WallNs, r.After.WallNs = verdict.Median(solo.WallBefore), verdict.Median(solo.WallAfter)
	}
	return f.retained(ctx, r, p)
}

// retained measures what the loop keeps, before and after.
func (f *final) retained(ctx context.Context, r *model.Result, p model.Plan) error {
	var err error
	if r.Before.Retained, err = f.base.Retained(ctx, p); err == nil {
		r.After.Retained, err = f.now.Retained(ctx, p)
	}
	if errors.Is(err, bench.ErrFewMarks) {
		f.m.Warn(model.Warning{Seen: "what " + r.Benchmark.String() + " keeps in memory is not known: " + err.Error()})
		return nil
	}
	return err
}
