package optimize

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// A final is the comparison of what the run began with and what it ends with.
type final struct {
	run    *model.Run
	m      *state.Module
	prover *attempt.Prover
	stack  *stack
	budget *budget
	pools  map[string]*trial.LinkPool // by import path
}

// What comparing original and final takes: pairs of fresh links, and a share of
// the budget at most, since a small one would leave nothing to compare. It is less
// as long as nothing was kept.
const (
	linkTakes    = time.Second // of one pair
	duetsPerLink = 2
	reserveMost  = 0.3
	reserveFirst = 0.15
)

// needs is what the comparison takes, as far as it is known by now, and the part of
// the budget that it may have. Before anything was kept one benchmark will be compared.
func (f *final) needs() (need time.Duration, most float64) {
	pkgs := make(map[string]bool)
	most = reserveMost
	none := f.stack.now == f.stack.orig
	if none {
		most = reserveFirst
	}
	for i, p := range f.run.Plans {
		if f.same(p) && !(none && i == 0) {
			continue
		}
		pkgs[p.Benchmark.Pkg] = true
		need += besides(p) + time.Duration(finalUnits*duetsPerLink*f.stack.offers.noise(p.Benchmark).DuetNs)
	}
	return need + time.Duration(len(pkgs)*finalUnits)*linkTakes + f.pictures(), most
}

// compare measures original and final against each other in each benchmark, first in those that changes
// were kept for, and in others in what these leave. Each gets an equal part of the time; within may end before ctx does.
func (f *final) compare(ctx, within context.Context) {
	defer f.close()
	results := make([]model.Result, len(f.run.Plans))
	var skipped []string
	aimed, others := f.groups()
	for _, group := range [][]int{aimed, others} {
		for n, i := range group {
			p := f.run.Plans[i]
			left := f.budget.left() - f.pictures()
			if left < 0 && !f.same(p) {
				skipped = append(skipped, p.Benchmark.String())
				results[i] = f.soFar(p.Benchmark)
				continue
			}
			results[i] = f.resultOrSoFar(ctx, within, p, left/time.Duration(max(1, f.differ(group[n:]))))
		}
	}
	f.run.Results = append(f.run.Results, results...)
	if len(skipped) > 0 {
		f.m.Warn(model.Warning{
			Seen:  "original and final were not compared in " + words.Some(skipped, 5) + ": the figures are those by which each change was kept",
			Cause: fmt.Sprintf("the budget of %s was spent", f.budget.total), Try: "a larger -budget, or the replay script",
		})
	}
}

// groups are the plans by index: those of benchmarks that changes were kept for, and the others.
func (f *final) groups() (aimed, others []int) {
	for i, p := range f.run.Plans {
		if slices.ContainsFunc(f.run.Attempts, func(a model.Attempt) bool { return a.Outcome.Kept() && aims(a.Change, p.Benchmark) }) {
			aimed = append(aimed, i)
		} else {
			others = append(others, i)
		}
	}
	return aimed, others
}

// differ counts the benchmarks, of some plans by index, that have to be compared.
func (f *final) differ(plans []int) (n int) {
	for _, i := range plans {
		if !f.same(f.run.Plans[i]) {
			n++
		}
	}
	return n
}

// resultOrSoFar is result, or what is known without it, with a warning that says why.
func (f *final) resultOrSoFar(ctx, within context.Context, p model.Plan, share time.Duration) model.Result {
	r, err := f.result(within, p, share)
	switch {
	case ctx.Err() != nil:
		f.run.Stopped = "interrupted"
		return f.soFar(p.Benchmark)
	case err == nil, r.Verdict != nil && late(within): // no more than what duets cannot tell is missing
		return r
	}
	if late(within) {
		err = fmt.Errorf("the budget of %s is spent", f.budget.total)
	}
	f.m.Warn(model.Warning{ // what was kept is on the branch, and the user must learn of it
		Seen:  "original and final could not be compared in " + p.Benchmark.String() + ": its figures are those by which each change was kept",
		Cause: err.Error(), Try: "run the benchmark on both, or the replay script",
	})
	return f.soFar(p.Benchmark)
}

// pictureTakes is about how long the profiles of one benchmark take that are there to be
// looked at.
const pictureTakes = 2 * time.Second

// pictures is how long those of the final state will take, for the page, in the benchmarks that
// changes were made for.
func (f *final) pictures() (need time.Duration) {
	if f.stack.now == f.stack.orig {
		return 0
	}
	for _, p := range f.run.Plans {
		aimed := slices.ContainsFunc(f.stack.page.steps, func(st progress) bool { return st.kept && aims(st.change, p.Benchmark) })
		if aimed && !f.stack.now.Pictured(p.Benchmark) {
			need += pictureTakes
		}
	}
	return need
}

// same reports whether a benchmark is known to be the same program in original and
// final.
func (f *final) same(p model.Plan) bool {
	return f.stack.now == f.stack.orig || f.stack.now.SameProgram(f.stack.orig, p.Benchmark.Pkg)
}

// links are fresh links of a package, the same for all of its benchmarks; nil
// where there can be none.
func (f *final) links(pkg string) trial.Links {
	if p := f.pools[pkg]; p != nil {
		return p.Draw(0)
	}
	links, ok := f.stack.now.Links(f.stack.orig, pkg)
	if !ok {
		return nil
	}
	f.pools[pkg] = trial.NewLinkPool(links, finalUnits)
	return f.pools[pkg].Draw(0)
}

func (f *final) close() {
	for _, p := range f.pools {
		p.Close()
	}
}

// soFar is a result without the comparison of original and final.
func (f *final) soFar(bm model.Benchmark) model.Result {
	r := model.Result{Benchmark: bm, Before: f.stack.orig.Stats(bm)}
	if f.stack.now != f.stack.orig {
		r.After = f.stack.now.Stats(bm)
		r.Counts = objectsSoFar(f.run.Attempts, bm)
	}
	return r
}

// objectsSoFar is how many objects a benchmark allocates without and with all changes that were kept. Nil where one
// of them was kept without counting them, or did not begin where the one before it ended. Nor is it known once the user
// has undone one: those after it were counted with it.
func objectsSoFar(attempts []model.Attempt, bm model.Benchmark) []model.Exact {
	var all *model.Exact
	for _, a := range attempts {
		if strings.HasPrefix(a.Reason, store.UndoneReason) {
			return nil
		}
		if !a.Outcome.Kept() {
			continue
		}
		c := slices.IndexFunc(a.Counts, func(c model.Exact) bool { return c.Benchmark == bm && c.Metric == verdict.Allocs && !c.Noisy })
		switch {
		case c < 0:
			return nil
		case all == nil:
			first := a.Counts[c]
			all = &first
		case math.Abs(a.Counts[c].Before-all.After) >= 0.5: // else what a process allocates once
			return nil
		default:
			all.After = a.Counts[c].After
		}
	}
	if all == nil {
		return nil
	}
	return []model.Exact{*all}
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
	r := model.Result{Benchmark: bm, Before: f.stack.orig.Stats(bm)}
	if f.same(p) {
		return r, nil
	}
	f.m.Watch.Stage("original against final", bm.String())
	until := time.Now().Add(within)
	rules := judge.RegressRules()
	rules.Alpha = f.prover.Alpha / float64(len(f.prover.Plans))
	q := trial.Question{
		Plan: p, Base: f.stack.orig.Binary(bm.Pkg), Cand: f.stack.now.Binary(bm.Pkg),
		Rules: verdict.Rules{Judge: rules, MinUnits: finalUnits}, Budget: min(f.prover.PerChange, max(within-besides(p), time.Millisecond)), Links: f.links(bm.Pkg),
	}
	a, err := f.prover.Trial.AskOnLinks(ctx, q, func(pr trial.Progress) { f.m.Watch.Detail(attempt.DuetText(bm, pr)) })
	if err != nil {
		return r, err
	}
	if err := f.m.SaveSamples(bm, "final", a.Samples); err != nil {
		return r, err
	}
	counts, _, err := f.prover.Trial.Counts(ctx, p, f.stack.orig.Binary(bm.Pkg), f.stack.now.Binary(bm.Pkg), 1)
	r = judged(f.soFar(bm), p.Mode, a.Verdict, a.Samples, counts)
	if err != nil || time.Now().After(until) {
		return r, err
	}
	return r, f.complete(ctx, p, &r)
}

// judged puts the verdict, and the figures that it rests on, into a result so far. Where
// there was no time to compare the counts, those of the result stand.
func judged(soFar model.Result, mode model.Mode, v model.Verdict, samples [][2]model.Sample, counts []model.Exact) model.Result {
	r := model.Result{Benchmark: soFar.Benchmark, Before: soFar.Before, After: soFar.After, Verdict: &v, Counts: counts}
	if counts == nil {
		r.Counts = soFar.Counts
	}
	if len(samples) == 0 {
		return r
	}
	st := verdict.Figures(mode, samples, counts)
	if counts == nil {
		st[0].Allocs, st[0].Bytes = r.Before.Allocs, r.Before.Bytes
		st[1].Allocs, st[1].Bytes = r.After.Allocs, r.After.Bytes
	}
	r.Before, r.After = st[0], st[1]
	return r
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
	base, err := f.stack.orig.Stock(ctx, bm.Pkg)
	if err != nil {
		return err
	}
	final, err := f.stack.now.Stock(ctx, bm.Pkg)
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
	if r.Before.Retained, err = f.stack.orig.Retained(ctx, p); err == nil {
		r.After.Retained, err = f.stack.now.Retained(ctx, p)
	}
	if errors.Is(err, bench.ErrFewMarks) {
		f.m.Warn(model.Warning{Seen: "what " + r.Benchmark.String() + " keeps in memory is not known: " + err.Error()})
		return nil
	}
	return err
}
