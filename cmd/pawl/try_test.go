package main

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestTryCode(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outcome model.Outcome
		stopped string
		want    int
	}{
		{"kept", model.Kept, "", exitOK},
		{"kept, and not compared, as the user allows", model.KeptUncompared, "", exitOK},
		{"kept, and interrupted when it was compared once more", model.Kept, "interrupted", exitFailed},
		{"refuted", model.RolledBack, "", exitFindings},
		{"undecided", model.Unsettled, "", exitUndecided},
	} {
		if got := tryCode(&model.Run{Attempts: []model.Attempt{{Outcome: tt.outcome}}, Stopped: tt.stopped}); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	if got := tryCode(&model.Run{}); got != exitFailed {
		t.Errorf("interrupted before: %d", got)
	}
}
