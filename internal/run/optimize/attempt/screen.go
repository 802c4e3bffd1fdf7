package attempt

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// Screen reads a change of somebody else before anything is measured, and
// reports whether it was refused: then there is nothing to try.
func (p *Prover) Screen(ctx context.Context, c model.Change) (a model.Attempt, refused bool, err error) {
	start := time.Now()
	p.M.Watch.Stage("reading the change", c.Title)
	t, err := p.alone(c)
	if err != nil {
		return a, false, err
	}
	if t.Diff, err = t.diff(c); err != nil {
		return a, false, err
	}
	r, err := t.inspect(ctx)
	if r == nil || err != nil {
		return a, false, err
	}
	t.refuse(*r)
	t.Seconds = time.Since(start).Seconds()
	return t.Attempt, true, nil
}

// noEnd is an end of an interval that is not known, as the judge has it.
const noEnd = 1e6

// NotCovered is the attempt at a change that no benchmark can judge.
func (p *Prover) NotCovered(c model.Change) (a model.Attempt, err error) {
	a = model.Attempt{
		Change: c, Outcome: model.Unsettled,
		Reason: model.NotCovered + ": no chosen benchmark runs a changed line in its timed loop",
	}
	if a.Diff, err = p.M.Snap.Diff(c.Edits); err != nil {
		return a, err
	}
	for _, q := range p.Plans {
		a.Verdicts = append(a.Verdicts, model.Verdict{Benchmark: q.Benchmark, Metric: "cpu/op", Answer: model.Undecided, Lo: -1, Hi: noEnd, Level: 1 - p.Alpha})
	}
	return a, nil
}
