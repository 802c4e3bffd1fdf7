package compare

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// recordsOf reads the records in a copy of the tree. A file that is not one is
// the user's to fix.
func recordsOf(c *testbed.Checkout) ([]hotpath.Record, []model.Warning, error) {
	recs, warnings, err := hotpath.Load(filepath.Join(c.Snap.ModuleDir, filepath.FromSlash(hotpath.Dir)))
	var bad *hotpath.FileError
	if errors.As(err, &bad) {
		return nil, nil, testbed.Usage(bad.Error())
	}
	return recs, warnings, err
}

// directed takes from records which way is better of the metrics that benchmarks
// report. What the user says on the command line goes before that.
func (s *session) directed(recs []hotpath.Record) {
	all := make(verdict.Directions)
	for _, r := range recs {
		for _, d := range r.Better {
			switch d.Op {
			case hotpath.AtMost:
				all[d.Metric] = verdict.Lower
			case hotpath.AtLeast:
				all[d.Metric] = verdict.Higher
			}
		}
	}
	maps.Copy(all, s.directions)
	s.directions = all
}

// checkRecords asks whether the candidate keeps what the repository's records
// ask for: their guardrails run in a copy of it, and their directions are held
// against what was just measured. It is for gates.
func (t *trees) checkRecords(ctx context.Context, base, cand []hotpath.Record) error {
	err := t.checked(ctx, base)
	if err == nil || !spent(ctx) {
		return err
	}
	for _, r := range cand { // no silence about those that there was no time for
		if !slices.ContainsFunc(t.cmp.Records, func(c model.Recorded) bool { return c.Name == r.Name }) {
			t.cmp.Records = append(t.cmp.Records, model.Recorded{Name: r.Name, File: r.File, Standing: string(hotpath.NotRun), Why: []string{"the budget is spent"}})
		}
	}
	return nil
}

func (t *trees) checked(ctx context.Context, base []hotpath.Record) error {
	tc, err := t.checkout(ctx, t.cmp.Candidate)
	if err != nil {
		return err
	}
	recs, warnings, err := recordsOf(tc)
	if err != nil {
		return err
	}
	t.warn(warnings...)
	t.warn(hotpath.Loosened(base, recs)...)
	if len(recs) == 0 {
		return nil
	}
	t.stage("checking records", "")
	rep, err := hotpath.Check(ctx, hotpath.CheckOptions{
		Records: recs, Dir: tc.Snap.ModuleDir, Env: tc.Go.Env(), Meter: t.bed.Meter,
		Measure: hotpath.FromComparison(t.cmp), Partial: true, Stage: t.stage,
	})
	t.warn(rep.Warnings...)
	for _, c := range rep.Records {
		t.cmp.Records = append(t.cmp.Records, recorded(c))
		t.warn(c.Warnings...)
	}
	return err
}

// recorded is a checked record in short.
func recorded(c hotpath.Checked) model.Recorded {
	out := model.Recorded{Name: c.Name, File: c.File, Standing: string(c.Standing)}
	if c.Error != "" {
		out.Why = append(out.Why, c.Error)
	}
	for _, g := range c.Guards {
		if !g.OK {
			out.Why = append(out.Why, slices.Concat([]string{"guard " + g.Guard.Name + ": " + g.Why}, g.Tail)...)
		}
	}
	for _, d := range c.Directions {
		if d.Standing != hotpath.Holds {
			out.Why = append(out.Why, d.Why)
		}
	}
	return out
}
