package loop

import (
	"errors"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/store"
)

func TestLeft(t *testing.T) {
	for _, c := range []struct {
		spent, want time.Duration
	}{{0, 10 * time.Minute}, {4 * time.Minute, 6 * time.Minute}, {9 * time.Minute, 150 * time.Second}, {time.Hour, 150 * time.Second}} {
		if got, err := Left(&store.Past{Spent: c.spent}, 10*time.Minute); err != nil || got != c.want {
			t.Errorf("%v spent: %v left, %v", c.spent, got, err)
		}
	}
	var usage *stand.UsageError
	if _, err := Left(&store.Past{Stopped: "budget of 10m0s spent, 2 candidates not tried"}, time.Minute); !errors.As(err, &usage) {
		t.Errorf("a budget that is spent: %v", err)
	}
}
