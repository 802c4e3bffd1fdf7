package main

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// What is open is never passed over, nor what there was no time to look at.
func TestComparisonCode(t *testing.T) {
	for _, tt := range []struct {
		name      string
		standings []model.Standing
		stopped   string
		want      int
	}{
		{"clean", []model.Standing{model.Clean, model.Unchanged}, "", exitOK},
		{"a regression, whatever else is open", []model.Standing{model.Regressed, model.Open}, "budget", exitFindings},
		{"undecided", []model.Standing{model.Clean, model.Open}, "", exitUndecided},
		{"fails on the candidate", []model.Standing{model.Failed}, "", exitUndecided},
		{"the budget ended before anything was found", nil, "budget", exitUndecided},
		{"the budget ended, and what is known is clean", []model.Standing{model.Unchanged}, "budget", exitUndecided},
		{"interrupted", []model.Standing{model.Clean}, "interrupted", exitFailed},
		{"on one side only", []model.Standing{model.OneSided}, "", exitUndecided},
	} {
		c := &model.Comparison{Stopped: tt.stopped}
		for _, s := range tt.standings {
			c.Benchmarks = append(c.Benchmarks, model.Compared{Standing: s})
		}
		if got := comparisonCode(c); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
