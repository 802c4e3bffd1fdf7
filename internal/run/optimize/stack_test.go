package optimize

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
)

// A budget that ends within a proof refutes nothing, be it of one change or of several at
// once: each stays undecided and is not tried again alone, for which there is no time either. Ctrl-C
// and a full disk end the run.
func TestProvingEnd(t *testing.T) {
	over, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	one, several := make([]*unproven, 1), make([]*unproven, 3)
	for _, list := range [][]*unproven{one, several} {
		for i := range list {
			list[i] = &unproven{t: attempt.Of(model.Attempt{}), policy: attempt.Own(model.Change{})}
		}
	}
	failed, full := errors.New("the driver failed"), &fs.PathError{Op: "write", Err: errors.New("no space left")}
	for _, tt := range []struct {
		name         string
		of           []*unproven
		run, limited context.Context
		outcome      model.Outcome
		err          error
		want         ending
	}{
		{"shown", one, t.Context(), t.Context(), model.Kept, nil, proven},
		{"shown together", several, t.Context(), t.Context(), model.Kept, nil, proven},
		{"shown as the budget ended", several, t.Context(), over, model.Kept, nil, proven},
		{"the budget ended", one, t.Context(), over, model.Kept, context.DeadlineExceeded, noTime},
		{"the budget ended for several", several, t.Context(), over, model.Kept, context.DeadlineExceeded, noTime},
		{"the budget ended, and killed what wrote a file", several, t.Context(), over, model.Kept, full, noTime},
		{"the budget of the run ended", one, over, over, model.Kept, context.DeadlineExceeded, noTime},
		{"interrupted", several, cancelled, cancelled, model.Kept, context.Canceled, broken},
		{"a full disk", several, t.Context(), t.Context(), model.Kept, full, broken},
		{"one of several was refused", several, t.Context(), t.Context(), model.RolledBack, nil, unclear},
		{"no answer for several", several, t.Context(), t.Context(), model.Kept, failed, unclear},
		{"refused", one, t.Context(), t.Context(), model.RolledBack, nil, refused},
		{"no answer", one, t.Context(), t.Context(), model.Kept, failed, refused},
	} {
		p := &proving{of: tt.of, whole: attempt.Of(model.Attempt{Outcome: tt.outcome}), limited: tt.limited}
		if got := p.end(tt.run, tt.err); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// A change that was forgotten with what it stood on is named at the end, unless it was tried again.
func TestSayLost(t *testing.T) {
	attemptAt := func(id string) *attempt.Attempt {
		return attempt.Of(model.Attempt{Change: model.Change{ID: id, Title: "change " + id}})
	}
	run := new(model.Run)
	tried := make(map[string]model.Attempt)
	s := &stack{log: &ledger{run: run}, offers: &offers{tried: tried}}
	for _, id := range []string{"a", "b", "c", "b"} {
		tried[id] = model.Attempt{}
		s.forget(attemptAt(id))
	}
	tried["c"] = model.Attempt{}
	s.sayLost()
	if len(run.Warnings) != 1 || run.Warnings[0].Seen != "what came of 2 changes is not known: change a, change b" {
		t.Errorf("warned of %+v", run.Warnings)
	}
	tried["a"], tried["b"] = model.Attempt{}, model.Attempt{}
	s.sayLost()
	if len(run.Warnings) != 1 {
		t.Errorf("warned of what was tried again: %+v", run.Warnings[1:])
	}
}
