package attempt

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// A showing are the checks of what the change does: tests, and behaviour.
type showing struct {
	*subject
	failing *guard.Failing // the tests that ended it; nil where none did
	proof   exhibit
	begun   *state.Begun // builds of proof, beside the duets
}

// buildAhead begins to build what confirms a change, and what gather needs, while the
// duets run. A change that saves allocations is kept as a rule. Where others are proven
// with it, something else is built then.
func (t *showing) buildAhead(ctx context.Context, pkg string, alone bool) {
	if len(t.policy.inTree) == 0 {
		return
	}
	t.proof.aside()
	t.proof.judges = benchmarksOf(t.jury().judges())
	t.begun = t.m.BeginAside(ctx, func(ctx context.Context) error {
		if _, err := t.Next.Stock(ctx, pkg); err != nil || !alone {
			return err
		}
		return t.build(ctx)
	})
}

// aside says that what is shown to the user from now on is something else, and leaves
// that a core.
func (x *exhibit) aside() { x.beside, x.among = true, gocmd.Aside() }

// inspectBuilding is inspect of a change that the tree holds for no more than that and
// what gather builds: both go on at a time, where the tree may be read meanwhile.
func (t *showing) inspectBuilding(ctx context.Context) (*refusal, error) {
	if t.m.Beside() {
		t.resume(ctx)
	}
	return t.inspect(ctx)
}

// gather builds what passes, race and behave run. The tree holds the change.
func (t *showing) gather(ctx context.Context) (*refusal, error) {
	t.resume(ctx)
	return nil, t.begun.Err()
}

// resume goes on with what buildAhead did not come to the end of, or begins it.
func (t *showing) resume(ctx context.Context) {
	if t.begun.Done() && t.proof.built {
		return
	}
	t.proof.judges = benchmarksOf(t.jury().judges())
	t.begun = state.Begin(ctx, t.build)
}

// build builds what is not there yet.
func (t *showing) build(ctx context.Context) (err error) {
	concerned := t.m.Concerned(t.pkgs)
	t.proof.detail("building what shows that it behaves as before")
	if t.proof.tests == nil {
		if t.proof.tests, err = t.Next.BuildTests(ctx, concerned, false); err != nil {
			return err
		}
	}
	race := state.Begin(ctx, func(ctx context.Context) (err error) {
		if t.proof.race == nil {
			t.proof.race, err = t.Next.BuildTests(ctx, concerned, true)
		}
		return err
	})
	err = t.proof.buildCovering(ctx, concerned)
	if err = errors.Join(race.Err(), err); err != nil {
		return err
	}
	t.proof.callers = t.policy.alone
	if err := t.proof.prepare(ctx, t.p, concerned); err != nil {
		return err
	}
	t.proof.built = true
	return nil
}

// A Proof is what is still to be shown of a change that has passed all else. It
// is under way beside what comes next.
type Proof struct {
	free chan struct{} // closed when the tree is not needed any more
	done chan struct{} // closed at the end
	err  error
}

// Prove begins to show the rest of what the policy asks for. Until Wait has
// returned the attempt is the proof's alone; until Free has, the tree must stay
// as it is.
func (t *Attempt) Prove(ctx context.Context) *Proof {
	p := &Proof{free: make(chan struct{}), done: make(chan struct{})}
	t.proof.aside()
	t.p.proving = p
	go func() {
		defer close(p.done)
		p.err = t.prove(ctx, func() { close(p.free) })
	}()
	return p
}

func (t *Attempt) prove(ctx context.Context, free func()) (err error) {
	start := time.Now()
	defer func() {
		t.Seconds += time.Since(start).Seconds()
		err = errors.Join(err, t.proof.clear())
		for _, part := range t.parts {
			err = errors.Join(err, part.proof.clear())
		}
	}()
	err = t.pass(ctx, t.policy.inTree)
	t.begun.Stop() // an inspection that refuses does not wait for it
	free()
	if err == nil && t.Outcome.Kept() {
		err = t.pass(ctx, t.policy.beside)
	}
	if err == nil && t.Outcome.Kept() && !t.Compared() {
		t.Outcome = model.KeptUncompared
	}
	return err
}

// Free waits until the tree may change.
func (p *Proof) Free() { <-p.free }

// Freed reports whether Free would return at once.
func (p *Proof) Freed() bool { return closed(p.free) }

// Ended reports whether Wait would return at once.
func (p *Proof) Ended() bool { return closed(p.done) }

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Wait waits for the end. The outcome is the attempt's then; the error is for
// what prevented an answer.
func (p *Proof) Wait() error {
	<-p.done
	return p.err
}
