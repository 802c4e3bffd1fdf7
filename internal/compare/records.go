package compare

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/record"
	"github.com/pawl-dev/pawl/internal/stand"
)

// recordsOf reads the records in a copy of the tree. A file that is not one is
// the user's to mend.
func recordsOf(c *stand.Checkout) ([]record.Record, []model.Warning, error) {
	recs, warnings, err := record.Load(filepath.Join(c.Snap.ModuleDir, filepath.FromSlash(record.Dir)))
	var bad *record.FileError
	if errors.As(err, &bad) {
		return nil, nil, stand.Usage(bad.Error())
	}
	return recs, warnings, err
}

// checkRecords asks whether the candidate keeps what the repository's records
// ask for: their guardrails run in a copy of it, and their directions are held
// against what was just measured. It is for gates.
func (s *session) checkRecords(ctx context.Context, base []record.Record) error {
	tc, err := s.checkout(ctx, s.cmp.Candidate)
	if err != nil {
		return err
	}
	recs, warnings, err := recordsOf(tc)
	if err != nil {
		return err
	}
	s.warn(warnings...)
	s.warn(record.Loosened(base, recs)...)
	if len(recs) == 0 {
		return nil
	}
	s.stage("checking records", "")
	rep, err := record.Check(ctx, record.CheckOptions{
		Records: recs, Dir: tc.Snap.ModuleDir, Env: tc.Go.Env(), Meter: s.stand.Meter,
		Measure: record.FromComparison(s.cmp), Partial: true, Stage: s.stage,
	})
	s.warn(rep.Warnings...)
	for _, c := range rep.Records {
		s.cmp.Records = append(s.cmp.Records, recorded(c))
		s.warn(c.Warnings...)
	}
	return err
}

// recorded is a checked record in short.
func recorded(c record.Checked) model.Recorded {
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
		if d.Standing != record.Holds {
			out.Why = append(out.Why, d.Why)
		}
	}
	return out
}
