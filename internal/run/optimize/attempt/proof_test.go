package attempt

import (
	"context"
	"errors"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// The tree is free before what runs beside the next change begins, and the
// outcome is known when Wait returns.
func TestProve(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name           string
		inTree, beside *refusal
		err            error
		want           model.Outcome
	}{
		{"proven", nil, nil, nil, model.KeptUncompared},
		{"refused while the tree holds it", &refusal{failed, "inspection"}, nil, nil, model.RolledBack},
		{"refused beside the next one", nil, &refusal{failed, "race"}, nil, model.RolledBack},
		{"no answer", nil, nil, broken, model.Kept},
	} {
		t.Run(tt.name, func(t *testing.T) {
			freed := make(chan struct{})
			a := new(Attempt).of(subject{Attempt: model.Attempt{Outcome: model.Kept}, p: &Prover{}})
			a.policy = Policy{
				inTree: []check{{"first", func(*Attempt, context.Context) (*refusal, error) { return tt.inTree, nil }}},
				beside: []check{{"second", func(*Attempt, context.Context) (*refusal, error) {
					<-freed
					return tt.beside, tt.err
				}}},
			}
			p := a.Prove(t.Context())
			p.Free()
			close(freed)
			if err := p.Wait(); !errors.Is(err, tt.err) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			if !p.Ended() || a.Outcome != tt.want {
				t.Errorf("ended %t, %s; want %s", p.Ended(), a.Outcome, tt.want)
			}
		})
	}
}

// What a check in the tree has begun ends before the tree is free, whatever comes of
// the check.
func TestProveStops(t *testing.T) {
	ended := false
	a := new(Attempt).of(subject{Attempt: model.Attempt{Outcome: model.Kept}, p: &Prover{}})
	a.policy = Policy{inTree: []check{{"inspection", func(a *Attempt, ctx context.Context) (*refusal, error) {
		a.begun = state.Begin(ctx, func(ctx context.Context) error {
			<-ctx.Done()
			ended = true
			return ctx.Err()
		})
		return &refusal{failed, "inspection"}, nil
	}}}}
	p := a.Prove(t.Context())
	p.Free()
	if !ended {
		t.Error("the tree was free while it was built")
	}
	if err := p.Wait(); err != nil || a.Outcome != model.RolledBack {
		t.Errorf("%s, %v", a.Outcome, err)
	}
}
