package attempt

import (
	"cmp"
	"context"

	"github.com/pawl-dev/pawl/internal/model"
)

// countsFall compares allocs/op and B/op, which takes one unit where they do
// not differ, and drops a change whose whole point they were when the site it
// aimed at is still there.
func (t *measuring) countsFall(ctx context.Context) (*refusal, error) {
	p := t.jury().judges()[0]
	t.m.Watch.Detail("counting allocations")
	var err error
	t.Counts, t.counted, err = t.p.Trial.Counts(ctx, p, t.Base.Binary(p.Benchmark.Pkg), t.Next.Binary(p.Benchmark.Pkg), t.p.Rules(t.number).Alpha/countMetrics)
	if err != nil {
		return t.candidateFailed(ctx, err)
	}
	if !saves(t.Change) && t.Change.MustSave == 0 {
		return nil, nil
	}
	if gone := t.Counts[0].Before - t.Counts[0].After; (!t.Counts[0].Noisy || t.Change.MustSave > 0) && gone < leastGone(t.Change, p.Benchmark) {
		r := &refusal{stillThere, Join("the allocation it aimed at is still there", countsText(t.Counts))}
		return r, t.m.SaveSamples(p.Benchmark, t.Change.ID, t.counted)
	}
	return nil, nil
}

// saves reports whether a change is there to save allocations.
func saves(c model.Change) bool { return len(c.Targets) > 0 && c.Targets[0].Resource == model.Allocs }

// countMetrics is how many counts a benchmark has that an outcome may rest on:
// each has a part of the error rate.
const countMetrics = 2

// siteGone is the part of an object a change aimed at that must be gone for
// it to be measured further: an operation that goes through several inputs may
// have had it for some of them. What it is worth is judged next, also where it
// aimed at several objects, such as those of a slice that grows, and one is gone.
const siteGone = 0.25

// leastGone is how many objects per op a change has to save in one benchmark.
func leastGone(c model.Change, bm model.Benchmark) float64 {
	return cmp.Or(c.MustSave, siteGone*min(AimedAt(c, bm), 1))
}

// AimedAt is how many objects per op a change aims at in one benchmark.
func AimedAt(c model.Change, bm model.Benchmark) float64 {
	var n float64
	for _, t := range c.Targets {
		if t.Benchmark == bm && t.Resource == model.Allocs {
			n += t.PerOp
		}
	}
	return n
}
