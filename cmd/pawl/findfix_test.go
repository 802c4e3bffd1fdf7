package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// Two rules find something at one place, and the fixes of both are made.
func TestWithoutFixed(t *testing.T) {
	at := model.Pos{File: "a.go", Line: 3, Col: 2}
	logged, printed, other := model.Finding{Rule: "logargs", At: at}, model.Finding{Rule: "sprintf", At: at}, model.Finding{Rule: "boxing", At: at}
	got := without([]model.Finding{logged, printed, other}, []model.Finding{logged, printed})
	if diff := cmp.Diff([]model.Finding{other}, got); diff != "" {
		t.Error(diff)
	}
	if got := without([]model.Finding{logged}, []model.Finding{logged}); got == nil || len(got) > 0 {
		t.Errorf("all were fixed: %v, want [] in JSON", got)
	}
}
