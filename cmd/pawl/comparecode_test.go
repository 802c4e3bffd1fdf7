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

// A busy machine leaves times open, and no more than that.
func TestOnlyTime(t *testing.T) {
	counted := model.Compared{Standing: model.Open, Counts: []model.Exact{{Metric: "allocs/op"}}}
	clean := model.Compared{Standing: model.Clean}
	for _, tt := range []struct {
		name    string
		all     []model.Compared
		records []model.Recorded
		want    bool
	}{
		{"a time", []model.Compared{clean, counted}, nil, true},
		{"all times", []model.Compared{counted, counted}, nil, true},
		{"not even counted", []model.Compared{clean, {Standing: model.Open}}, nil, false},
		{"fails on the candidate", []model.Compared{counted, {Standing: model.Failed}}, nil, false},
		{"may hang on the candidate", []model.Compared{{Standing: model.Open, Counts: counted.Counts, Ended: true}}, nil, false},
		{"a metric that differs", []model.Compared{{Standing: model.Open, Counts: counted.Counts, Metrics: []model.Reported{{Standing: model.Open, Exact: true, After: 1}}}}, nil, false},
		{"a metric that varies", []model.Compared{{Standing: model.Open, Counts: counted.Counts, Metrics: []model.Reported{{Standing: model.Open, After: 1}}}}, nil, true},
		{"a record", []model.Compared{counted}, []model.Recorded{{Standing: "undecided"}}, false},
		{"nothing that both sides have", []model.Compared{{Standing: model.OneSided}}, nil, false},
		{"nothing", nil, nil, false},
	} {
		if got := onlyTime(&model.Comparison{Benchmarks: tt.all, Records: tt.records}); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
