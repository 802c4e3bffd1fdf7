package main

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestTryCode(t *testing.T) {
	answers := func(as ...model.Answer) (vs []model.Verdict) {
		for _, a := range as {
			vs = append(vs, model.Verdict{Answer: a})
		}
		return vs
	}
	more := []model.Exact{{Metric: "allocs/op", Before: 1, After: 2}}
	for _, tt := range []struct {
		name    string
		attempt model.Attempt
		stopped string
		want    int
	}{
		{"kept", model.Attempt{Outcome: model.Kept, Verdicts: answers(model.Faster)}, "", exitOK},
		{"kept, and interrupted when it was compared once more", model.Attempt{Outcome: model.Kept}, "interrupted", exitFailed},
		{"a check failed", model.Attempt{Checks: []model.Check{{Name: "tests", Detail: "x"}}}, "", exitFindings},
		{"a test failed that fails without the change, too", model.Attempt{Checks: []model.Check{{Name: "tests", Detail: "x", Chance: []string{"p.TestF"}}}}, "", exitUndecided},
		{"slower in one benchmark", model.Attempt{Verdicts: answers(model.Undecided, model.Slower)}, "", exitFindings},
		{"no effect", model.Attempt{Verdicts: answers(model.NoEffect, model.NoEffect)}, "", exitFindings},
		{"no effect in one benchmark, and open in another", model.Attempt{Verdicts: answers(model.NoEffect, model.Undecided)}, "", exitUndecided},
		{"faster, as far as the layout lets it be seen", model.Attempt{Verdicts: answers(model.Faster)}, "", exitUndecided},
		{"allocates more, and nothing on its time", model.Attempt{Counts: more, Verdicts: answers(model.Undecided)}, "", exitFindings},
		{"faster, and holds more memory", model.Attempt{Guards: []model.Guard{{Tripped: true}}, Verdicts: answers(model.Faster)}, "", exitFindings},
		{"not covered", model.Attempt{Verdicts: answers(model.Undecided)}, "", exitUndecided},
	} {
		if got := tryCode(&model.Run{Attempts: []model.Attempt{tt.attempt}, Stopped: tt.stopped}); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	if got := tryCode(&model.Run{}); got != exitFailed {
		t.Errorf("interrupted before: %d", got)
	}
}
