package hotpath

import (
	"context"

	"github.com/pawl-dev/pawl/internal/model"
)

// FromComparison returns a Measurer that takes the figures of the candidate
// from a comparison, so that nothing is measured twice: counts as they are, and
// times as the verdicts against its base. Rows that were not run, because their
// code is unchanged or the budget was spent, have no figures there: it goes with
// CheckOptions.Partial.
func FromComparison(c *model.Comparison) Measurer { return comparison{c} }

type comparison struct{ c *model.Comparison }

func (m comparison) Measure(_ context.Context, r Record) ([]Now, error) {
	var out []Now
	for _, row := range m.c.Benchmarks {
		if row.Benchmark.Pkg != r.Pkg || !matches(r.Bench, row.Benchmark.Name) {
			continue
		}
		n := Now{Benchmark: row.Benchmark.Name, Counts: make(map[string]Range), Times: make(map[string]model.Verdict), Base: m.c.Base.Name}
		if row.Standing == model.Failed {
			n.Failed = row.Why
		}
		for _, e := range row.Counts {
			if !e.Noisy {
				n.Counts[e.Metric] = Range{Lo: e.After, Hi: e.After, Tolerance: e.Tolerance}
			}
		}
		for _, r := range row.Metrics {
			switch {
			case r.Verdict != nil:
				n.Times[r.Unit] = *r.Verdict
			case r.Exact:
				n.Counts[r.Unit] = Range{Lo: r.After, Hi: r.After}
			}
		}
		if row.Verdict != nil && row.Verdict.Units > 0 {
			n.Times[row.Verdict.Metric] = *row.Verdict
		}
		if n.Failed != "" || len(n.Counts)+len(n.Times) > 0 {
			out = append(out, n)
		}
	}
	return out, nil
}
