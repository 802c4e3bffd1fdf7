package optimize

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

// A run that goes on tries again what was left open, and nothing else.
func TestPassOver(t *testing.T) {
	past := &store.Past{}
	for _, o := range []model.Outcome{model.Kept, model.KeptUncompared, model.Unsettled, model.RolledBack} {
		past.Tried = append(past.Tried, store.Tried{Attempt: model.Attempt{Change: model.Change{ID: string(o)}, Outcome: o, Verdicts: []model.Verdict{{Answer: model.Faster}}}})
	}
	o := &offers{tried: make(map[string]model.Attempt)}
	o.passOver(past)
	want := []string{"kept", "kept, not compared", "rolled back"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(o.tried))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if kept := past.Kept(); len(kept) != 2 {
		t.Errorf("%d are kept", len(kept))
	}
}

func TestLeft(t *testing.T) {
	for _, c := range []struct {
		spent, want time.Duration
	}{{0, 10 * time.Minute}, {4 * time.Minute, 6 * time.Minute}, {9 * time.Minute, 150 * time.Second}, {time.Hour, 150 * time.Second}} {
		if got, err := Left(&store.Past{Spent: c.spent}, 10*time.Minute); err != nil || got != c.want {
			t.Errorf("%v spent: %v left, %v", c.spent, got, err)
		}
	}
	var usage *testbed.UsageError
	if _, err := Left(&store.Past{Stopped: "budget of 10m0s spent, 2 candidates not tried"}, time.Minute); !errors.As(err, &usage) {
		t.Errorf("a budget that is spent: %v", err)
	}
}
