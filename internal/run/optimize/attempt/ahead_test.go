package attempt

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/tree"
)

// What was built ahead is taken where it is what the tree gives now, and by nobody else.
func TestAheadTake(t *testing.T) {
	m := &state.Module{Checkout: &testbed.Checkout{Snap: &tree.Snapshot{}}}
	base, text := m.New("base"), map[string][]byte{"a.go": []byte("package a\n")}
	for _, tt := range []struct {
		name  string
		early early
		after map[string][]byte
		on    *state.State
		want  bool
	}{
		{"built", early{after: text, state: m.New("e1")}, text, base, true},
		{"not begun", early{after: text}, text, base, false},
		{"does not build", early{after: text, state: m.New("e1"), err: errors.New("no")}, text, base, false},
		{"other contents", early{after: text, state: m.New("e1")}, map[string][]byte{"a.go": []byte("package b\n")}, base, false},
		{"another version", early{after: text, state: m.New("e1")}, text, m.New("c1"), false},
		{"another change", early{change: model.Change{ID: "y"}, after: text, state: m.New("e1")}, text, base, false},
	} {
		if tt.early.change.ID == "" {
			tt.early.change.ID = "x"
		}
		a := ahead{base: base, next: []*early{&tt.early}}
		at := &subject{Attempt: model.Attempt{Change: model.Change{ID: "x"}}, Base: tt.on, edited: edited{m: m, After: tt.after}}
		if got := a.take(at); (got != nil) != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// Before the tree changes the build of the next change comes to its end, and all else is
// over.
func TestAheadSettle(t *testing.T) {
	first := &early{begun: make(chan struct{}), built: make(chan struct{})}
	a := ahead{next: []*early{first, {}}}
	over := false
	a.work = state.Begin(t.Context(), func(ctx context.Context) error {
		close(first.begun)
		time.Sleep(time.Millisecond)
		first.lives = ctx.Err() == nil
		close(first.built)
		<-ctx.Done()
		over = true
		return ctx.Err()
	})
	<-first.begun
	a.settle()
	if !first.lives || !over {
		t.Errorf("the next change is built: %t; what comes after it has ended: %t", first.lives, over)
	}
	a.settle()
}
