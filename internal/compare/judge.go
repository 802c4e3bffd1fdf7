package compare

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/trial"
	"github.com/pawl-dev/pawl/judge"
)

// linkShare is how much longer than the first stage the second one may take:
// its unit is a pair of links and several duets.
const linkShare = 4

// soundUnits is how many duets a gate takes before it calls a benchmark clean.
const soundUnits = 8

// judge compares one benchmark. An error of the benchmark is a standing, not
// an error; what has been found out comes also when ctx ends.
func (s *session) judge(ctx context.Context, m match, alpha float64, budget time.Duration) (model.Compared, []regression, error) {
	start, cpu := time.Now(), gocmd.ChildCPU().Seconds()
	c := model.Compared{Benchmark: m.bm, Standing: model.Open, Source: m.source, Code: m.code}
	bad, err := s.measure(ctx, m, &c, alpha, budget)
	c.Seconds, c.CPU = time.Since(start).Seconds(), gocmd.ChildCPU().Seconds()-cpu
	for _, u := range s.trial.Unsteady() {
		c.Warnings = append(c.Warnings, u.Warning())
	}
	var f *bench.Failure
	var u *trial.Unsteady
	switch {
	case ctx.Err() != nil:
		c.Why = "interrupted"
		return c, nil, ctx.Err()
	case errors.As(err, &f) && f.Late && c.Plan == nil:
		c.Why = lateOn("base", f)
		return c, nil, nil
	case errors.As(err, &u):
		c.Why = "whose doing it is cannot be told: " + u.Error()
		return c, nil, nil
	case errors.As(err, &f):
		c.Standing, c.Why = failed(err, f)
		return c, nil, nil
	case err != nil:
		return c, nil, fmt.Errorf("%s: %w", m.bm.Name, err)
	}
	return c, bad, nil
}

// failed is the standing of a benchmark that came to no result.
func failed(err error, f *bench.Failure) (model.Standing, string) {
	if f.Skipped {
		return model.OneSided, err.Error()
	}
	return model.Failed, err.Error()
}

func (s *session) measure(ctx context.Context, m match, c *model.Compared, alpha float64, budget time.Duration) ([]regression, error) {
	base, cand := m.base.bin, m.cand.bin
	s.detail("calibrating")
	plan, err := m.base.suite.Calibrate(ctx, base, m.bm, max(s.left()/calibShare, leastMeasure))
	if err != nil {
		return nil, fmt.Errorf("on the base: %w", err)
	}
	c.Plan = &plan
	c.Warnings = append(c.Warnings, plan.Warnings...)
	rules := judge.RegressRules()
	rules.Alpha, rules.MinEffect = alpha, s.opt.MinEffect
	rules.MaxUnits = maxUnits
	if !s.opt.gate() {
		s.detail("A/A warm-up")
		n, _, err := s.trial.WarmUp(ctx, plan, base, rules, budget)
		if err != nil {
			return nil, fmt.Errorf("on the base: %w", err)
		}
		c.Noise = &n
		s.detail(fmt.Sprintf("sees %.1f %%, takes about %.0f s", 100*n.Sees, n.Seconds))
	}
	counts, prior, err := s.trial.Counts(ctx, plan, base, cand, 1) // nothing rests on a trend here
	if err != nil {
		return nil, err
	}
	c.Counts = counts
	c.Warnings = append(c.Warnings, countWarnings(counts, prior)...)
	plan, prior = trial.Fit(plan, prior)
	q := trial.Question{
		Plan: plan, Base: base, Cand: cand, Rules: rules, Prior: prior, Budget: budget,
		LinkBudget: linkShare * budget, Deadline: s.start.Add(s.opt.Budget - s.reserve()), Level: 1 - s.opt.Alpha,
	}
	if l := m.links(); l != nil {
		q.Links = l
	}
	if s.opt.gate() {
		q.Floor, q.AtFloor, q.MinUnits = s.opt.MinEffect, true, soundUnits
	}
	a, err := s.ask(ctx, q)
	c.Verdict, c.Screen = &a.Verdict, a.Screen
	c.Before, c.After = figures(a.Samples, counts)
	if err := s.save.samples(m.bm, a.Samples, s.cmp.Env); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	if err := s.beside(ctx, m, c, a, alpha); err != nil {
		return nil, err
	}
	f := finding{
		Compared: c, answer: a, gate: s.opt.gate(), unpinned: m.unpinned, least: s.opt.MinEffect,
		files: s.cmp.Base.Kind == model.SideBinary,
	}
	c.Standing, c.Why = f.standing()
	return f.regressions(), nil
}

// beside looks at what stands beside the verdict: whether the benchmark runs
// what changed, and whether a cost moved. A slowdown needs no guards. A guard
// may err as often as the claim that the benchmark is slower: with alpha/2.
func (s *session) beside(ctx context.Context, m match, c *model.Compared, a trial.Answer, alpha float64) error {
	if s.cover != nil {
		w, err := s.cover.of(ctx, m.bm, c.Plan.N)
		if err != nil {
			return err
		}
		c.Warnings = append(c.Warnings, w...)
	}
	if a.Verdict.Answer == model.Slower {
		return nil
	}
	s.detail("guards")
	var err error
	c.Guards, err = s.trial.Guards(ctx, s.local, *c.Plan, m.base.bin, m.cand.bin, alpha/2, a.Samples)
	return err
}

// countWarnings says where counts are less than exact.
func countWarnings(counts []model.Exact, pairs [][2]model.Sample) []model.Warning {
	var out []model.Warning
	for _, e := range counts {
		if e.Noisy {
			out = append(out, model.Warning{
				Seen:  e.Metric + " differs from run to run of one side: nothing is claimed of it",
				Cause: "a pool, a map that grows, or goroutines",
				Try:   "read it as an estimate; CPU time is judged all the same",
			})
		}
	}
	if len(pairs) > 0 && (bench.RoundedAway(pairs[0][0]) || bench.RoundedAway(pairs[0][1])) {
		out = append(out, model.Warning{
			Seen:  "0 allocs/op with B/op above zero: less than one allocation per op",
			Cause: "a binary that was built elsewhere prints whole numbers, rounded down",
			Try:   "B/op says more here; a comparison of sources counts fractions",
		})
	}
	return out
}

// maxUnits ends a comparison whose budget would go on: what a hundred units
// cannot show, a hundred more will hardly.
const maxUnits = 120

// ask puts the question: about two files, where they were given as files, and
// about sources otherwise.
func (s *session) ask(ctx context.Context, q trial.Question) (trial.Answer, error) {
	watch := func(p trial.Progress) {
		unit := "duets"
		if p.Links {
			unit = "pairs of fresh links"
		}
		s.detail(fmt.Sprintf("%d %s, %+.1f %%", p.Units, unit, 100*p.Decision.Estimate))
	}
	if s.cmp.Base.Kind == model.SideBinary {
		return s.trial.Ask(ctx, q, watch)
	}
	return s.trial.Judge(ctx, q, watch)
}

// figures are the medians of both sides over all units.
func figures(pairs [][2]model.Sample, counts []model.Exact) (before, after *model.Stats) {
	if len(pairs) == 0 {
		return nil, nil
	}
	var st [2]model.Stats
	for arm := range st {
		var cpu, wall []float64
		for _, p := range pairs {
			cpu, wall = append(cpu, p[arm].CPUNs), append(wall, p[arm].WallNs)
		}
		st[arm].CPUNs, st[arm].WallNs = trial.Median(cpu), trial.Median(wall)
	}
	for _, e := range counts {
		switch e.Metric {
		case "allocs/op":
			st[0].Allocs, st[1].Allocs = e.Before, e.After
		case "B/op":
			st[0].Bytes, st[1].Bytes = e.Before, e.After
		}
	}
	return &st[0], &st[1]
}
