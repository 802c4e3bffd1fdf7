package score

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/worth"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize"
)

// options are those of one run of the loop on a checkout.
func (s *session) options(ctx context.Context, verb string, row Row, c *checkout) (optimize.Options, error) {
	opt := optimize.Options{
		Verb: verb, Args: []string{verb, "-bench", c.bench.pattern(), c.pattern}, Tool: s.opt.Tool, Dir: c.module, From: c.module,
		Patterns: []string{c.pattern}, Bench: c.bench.pattern(), Budget: s.opt.Budget, PerChange: s.opt.PerChange, Alpha: s.opt.Alpha,
		MinEffect: s.opt.MinEffect, Timeout: s.opt.Timeout, Short: s.opt.Short, Seed: s.opt.Seed, Sandbox: s.opt.Sandbox,
		Env: c.env, CacheDir: s.opt.CacheDir, Watch: s.opt.Watch,
	}
	opt.Base = c.base
	if row.Profile == "" || verb != "try" {
		return opt, nil
	}
	name := row.Profile
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(s.opt.Corpus), name)
	}
	p, err := worth.Read(ctx, name)
	if err != nil {
		return opt, err
	}
	opt.Production, opt.MinWorth = p, minWorth
	return opt, nil
}

// minWorth is the part of a production profile that a change has to save where a
// row has one.
const minWorth = 0.001

// consents is how often a refused fix is tried again with what it takes.
const consents = 3

// upstream tries the fix. One that is refused for what a person can consent to
// is tried again with that consent, to see what it would be worth.
func (s *session) upstream(ctx context.Context, row Row, c *checkout, out *model.Scored) error {
	run, err := s.try(ctx, row, c, nil)
	if err != nil {
		return err
	}
	a := run.Attempts[0]
	out.Verdict, out.Why, out.Warnings = verdictOf(a), a.Reason, a.Warnings
	out.Reachable = out.Verdict != model.ScoreNotCovered
	out.Upstream = gains(run)
	var allow []model.SuspicionKind
	last := a
	for range consents {
		if len(last.Needs) == 0 {
			return nil
		}
		allow = last.Needs
		if run, err = s.try(ctx, row, c, allow); err != nil {
			return err
		}
		last = run.Attempts[0]
		out.Upstream = gains(run)
		if last.Outcome.Kept() {
			out.Verdict, out.Needs = model.ScoreIfAllowed, allow
			out.Why = a.Reason + "; with that allowed: " + last.Reason
			out.Warnings = last.Warnings
			return nil
		}
		if v := verdictOf(last); v != model.ScoreRefused && out.Verdict != model.ScoreWorse { // allowed, and still not worth it
			out.Verdict, out.Needs, out.Why, out.Warnings = v, allow, last.Reason, last.Warnings
		} else if last.Reason != a.Reason {
			out.Why = a.Reason + "; with that allowed: " + last.Reason
		}
	}
	return nil
}

// tryPart is the part of the budget that the duets of upstream's fix may take:
// there is one change to be judged, and duets end when it is decided.
const tryPart = 4

func (s *session) try(ctx context.Context, row Row, c *checkout, allow []model.SuspicionKind) (*model.Run, error) {
	s.opt.Watch.Stage("upstream's fix", row.ID)
	opt, err := s.options(ctx, "try", row, c)
	if err != nil {
		return nil, err
	}
	opt.Allow = allow
	opt.PerChange = max(opt.PerChange, opt.Budget/tryPart)
	l, err := optimize.Open(ctx, opt)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	change, err := l.Patch(ctx, c.patch, os.ReadFile)
	if err != nil {
		return nil, err
	}
	refused, err := l.Screen(ctx, change)
	if err != nil {
		return nil, err
	}
	if !refused {
		if err := l.Prove(ctx, change); err != nil {
			return nil, err
		}
		c.base = l.BaseCheck()
	}
	if len(l.Run.Attempts) == 0 {
		return nil, errors.New("upstream's fix was not tried: " + l.Run.Stopped)
	}
	return l.Run, l.End(ctx)
}

func gains(run *model.Run) []model.ScoreGain {
	var all []model.ScoreGain
	if len(run.Attempts) == 0 {
		return nil
	}
	a := run.Attempts[0]
	var of []model.Benchmark
	for _, p := range run.Plans {
		of = append(of, p.Benchmark)
	}
	for _, x := range a.Counts { // of a change that was refused for them nothing else was measured
		if !slices.Contains(of, x.Benchmark) {
			of = append(of, x.Benchmark)
		}
	}
	for _, bm := range of {
		g := model.ScoreGain{Benchmark: bm}
		for _, x := range a.Counts {
			if x.Benchmark == bm {
				g.Counts = append(g.Counts, x)
			}
		}
		for i, v := range a.Verdicts {
			if v.Benchmark == bm && v.Metric == "cpu/op" {
				g.Verdict = &a.Verdicts[i]
			}
		}
		if g.Verdict != nil || g.Counts != nil {
			all = append(all, g)
		}
	}
	return all
}

// own lets pawl find out for itself: what it ranks first, and what it makes
// faster unattended.
func (s *session) own(ctx context.Context, row Row, c *checkout, out *model.Scored) error {
	s.opt.Watch.Stage("pawl's own", row.ID)
	opt, err := s.options(ctx, "optimize", row, c)
	if err != nil {
		return err
	}
	l, err := optimize.Open(ctx, opt)
	if err != nil {
		return err
	}
	defer l.Close()
	err = l.InTime(ctx, func(ctx context.Context) error {
		changes, err := l.Plan(ctx)
		if err != nil {
			return err
		}
		c.rank(l.Run.Targets, changes, out)
		if len(changes) == 0 {
			return nil
		}
		if err := l.CheckBase(ctx); err != nil {
			return err
		}
		return l.Optimize(ctx, changes)
	})
	if err != nil {
		return err
	}
	if lost := c.bench.unrun(l.Run.Plans); len(lost) > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("not measured, since the parent has no such benchmark, it does not run there, or the budget is too short for all: %s", strings.Join(lost, ", ")))
	}
	if err := l.Finish(ctx); err != nil {
		return err
	}
	for _, a := range l.Run.Attempts {
		if a.Outcome.Kept() {
			out.Kept = append(out.Kept, a.Change.Title)
		}
	}
	out.Tried = len(l.Run.Attempts)
	for _, r := range l.Run.Results {
		if len(r.Counts) > 0 || r.Verdict != nil || r.After != (model.Stats{}) { // the last without the others: not compared
			out.Own = append(out.Own, model.ScoreGain{Benchmark: r.Benchmark, Counts: r.Counts, Verdict: r.Verdict})
		}
	}
	if len(out.Kept) == 0 {
		return nil
	}
	return s.check(ctx, row, c, l.Run, out)
}

// parts returns pawl's gain over upstream's, of allocated objects and of CPU
// time, each summed over the benchmarks; nil where upstream has none, or where
// what pawl gained is not known.
func parts(own, upstream []model.ScoreGain) (allocs, cpu *float64) {
	objects := func(gs []model.ScoreGain) (sum float64) {
		for _, g := range gs {
			for _, c := range g.Counts {
				if c.Metric == "allocs/op" && !c.Noisy && !c.Equal() {
					sum += c.Before - c.After
				}
			}
		}
		return sum
	}
	time := func(gs []model.ScoreGain) (sum float64) {
		for _, g := range gs {
			if g.Verdict != nil && (g.Verdict.Hi < 0 || g.Verdict.Lo > 0) {
				sum -= g.Verdict.Change
			}
		}
		return sum
	}
	ratio := func(sum func([]model.ScoreGain) float64, open func(model.ScoreGain) bool) *float64 {
		all := sum(upstream)
		// What the last comparison had no answer for is no gain of 0.
		if all <= 0 || slices.ContainsFunc(own, func(g model.ScoreGain) bool { return open(g) && gained(upstream, g.Benchmark, sum) }) {
			return nil
		}
		r := sum(own) / all
		return &r
	}
	return ratio(objects, func(g model.ScoreGain) bool { return g.Counts == nil }), ratio(time, func(g model.ScoreGain) bool {
		return g.Verdict == nil || g.Verdict.Answer == model.Undecided && time([]model.ScoreGain{g}) == 0
	})
}

// gained reports whether a benchmark shows a gain.
func gained(gs []model.ScoreGain, bm model.Benchmark, sum func([]model.ScoreGain) float64) bool {
	return slices.ContainsFunc(gs, func(g model.ScoreGain) bool { return g.Benchmark == bm && sum([]model.ScoreGain{g}) != 0 })
}
