package compare

import (
	"context"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// graphShare is the part of the budget that is set aside for profiles where
// graphs are asked for, and mostGraphed of how many benchmarks a page takes them:
// more have no room on it.
const (
	graphShare  = 0.1
	mostGraphed = 12
)

// graphs takes profiles of both sides for the flame graphs of a page.
type graphs struct {
	*session
	matches []match
}

// graphs takes profiles of what was judged, where graphs are asked for: what
// regressed first, then what is open, what got faster, and, but in a gate, what
// did neither. Nothing rests on them: where one cannot be taken, a warning says
// so.
func (g graphs) graphs(ctx context.Context) error {
	if !g.clock.graphs {
		return nil
	}
	var of []model.Compared
	for _, standing := range []model.Standing{model.Regressed, model.Accepted, model.Open, model.Improved, model.Clean} {
		for _, c := range g.cmp.Benchmarks {
			if c.Standing == standing && c.Verdict != nil && c.Plan != nil && !(g.opt.gate() && standing == model.Clean) {
				of = append(of, c)
			}
		}
	}
	if g.recorded { // which come after them
		limited, cancel := context.WithTimeout(ctx, until(ctx)-g.recordTime())
		defer cancel()
		ctx = limited
	}
	room := profile.FlameOptions{Module: profile.InModule(g.module()), Nodes: profile.NodesOf(2 * min(len(of), mostGraphed))}
	for i, c := range of {
		if i == mostGraphed || spent(ctx) {
			g.graphless(len(of)-i, len(of))
			return nil
		}
		g.stage("profiling both sides for the page", c.Benchmark.String())
		m := g.matches[slices.IndexFunc(g.matches, func(m match) bool { return m.bm == c.Benchmark })]
		flames, err := g.flames(ctx, m, c, room)
		switch {
		case spent(ctx):
			g.graphless(len(of)-i, len(of))
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			g.warn(profile.NoFlames(c.Benchmark, err))
			continue
		}
		g.opt.Graph(c.Benchmark, flames)
	}
	return nil
}

// graphless warns that so many benchmarks have no flame graphs.
func (g graphs) graphless(n, of int) {
	g.warn(model.Warning{
		Seen:  fmt.Sprintf("%d of %d benchmarks have no flame graphs", n, of),
		Cause: fmt.Sprintf("a page has those of %d benchmarks at most, as far as the budget of %s lasts", mostGraphed, g.opt.Budget),
		Try:   "choose the benchmarks by -bench",
	})
}

// module is the path of the module that is compared; of binaries, which do not
// say it, that of the package.
func (g graphs) module() string {
	if g.cmp.Module == "" && len(g.matches) > 0 {
		return g.matches[0].bm.Pkg
	}
	return g.cmp.Module
}

// flames profiles one benchmark on both sides.
func (g graphs) flames(ctx context.Context, m match, c model.Compared, room profile.FlameOptions) ([]model.Flame, error) {
	plan := *c.Plan
	base, err := g.take(ctx, m.base, plan, model.Base)
	if err != nil {
		return nil, err
	}
	cand, err := g.take(ctx, m.cand, trial.OfCandidate(plan, c.Verdict.Change), model.Candidate)
	if err != nil {
		return nil, err
	}
	if c.Before != nil && c.After != nil {
		base.Stats, cand.Stats = *c.Before, *c.After
	}
	return profile.BenchmarkFlames(m.bm, base, cand, room)
}

// take takes the profiles of one side.
func (g graphs) take(ctx context.Context, b *build, p model.Plan, arm model.Arm) (profile.Taken, error) {
	one := func(kind string) (*profile.Profile, int64, error) {
		file, err := g.save.profile(p.Benchmark, arm, kind)
		if err != nil {
			return nil, 0, err
		}
		taken, err := b.suite.Profile(ctx, b.bin, p, kind, file, 0)
		if err != nil {
			return nil, 0, err
		}
		prof, err := profile.ReadFile(ctx, taken.File)
		return prof, taken.N, err
	}
	return profile.SideBySide(
		func() (*profile.Profile, error) { prof, _, err := one(bench.CPUProfile); return prof, err },
		func() (*profile.Profile, int64, error) { return one(bench.MemProfile) },
	)
}
