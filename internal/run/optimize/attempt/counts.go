package attempt

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// countsFall compares allocs/op and B/op, which takes one unit where they do
// not differ, and drops a change whose whole point they were when neither
// has fallen. Fewer by a part of an object are fewer: of an operation that
// goes through several inputs, one may have had it. What that is worth is judged next.
func (t *measuring) countsFall(ctx context.Context) (*refusal, error) {
	p := t.jury().judges()[0]
	t.m.Watch.Detail("counting allocations")
	var err error
	t.Counts, t.counted, err = t.p.Trial.Counts(ctx, p, t.Base.Binary(p.Benchmark.Pkg), t.Next.Binary(p.Benchmark.Pkg), t.p.Rules(t.number).Alpha/countMetrics)
	if err != nil {
		return t.candidateFailed(ctx, err)
	}
	if t.Change.Targets[0].Resource != model.Allocs {
		return nil, nil
	}
	if !t.Counts[0].Noisy && !slices.ContainsFunc(t.Counts, model.Exact.Fell) {
		r := &refusal{stillThere, Join("the allocation it aimed at is still there", countsText(t.Counts))}
		return r, t.m.SaveSamples(p.Benchmark, t.Change.ID, t.counted)
	}
	return nil, nil
}

// countMetrics is how many counts a benchmark has that an outcome may rest on:
// each has a part of the error rate.
const countMetrics = 2
