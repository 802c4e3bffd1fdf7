package attempt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/change/difftest"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/read/reach"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// An exhibit is what shows that a change behaves as before, built while the tree
// held it.
type exhibit struct {
	dir      string         // of the files
	race     *state.Tests   // with the race detector
	cover    []reach.Binary // tests with coverage of the changed packages
	driver   *difftest.Plan // both versions side by side
	noDriver error          // why there is none
}

// gather builds what race and behave run. The tree holds the change.
func (t *Attempt) gather(ctx context.Context) (_ *refusal, err error) {
	concerned := t.m.Concerned(t.pkgs)
	t.detail("building what shows that it behaves as before")
	if t.proof.race, err = t.Next.BuildTests(ctx, concerned, true); err != nil {
		return nil, err
	}
	if t.proof.dir, err = os.MkdirTemp(t.m.Scratch, "proof-"); err != nil {
		return nil, fmt.Errorf("making a directory for the driver: %w", err)
	}
	if t.proof.cover, err = t.covering(ctx, concerned); err != nil {
		return nil, err
	}
	t.proof.driver, t.proof.noDriver = t.prepare(ctx, concerned)
	if err := t.proof.noDriver; err != nil && OfTheGround(ctx, err) {
		return nil, cmp.Or(ctx.Err(), err)
	}
	return nil, nil
}

// covering builds the tests of packages with coverage of the changed ones. One
// that does not build is left out.
func (t *Attempt) covering(ctx context.Context, pkgs []gocmd.Package) (bins []reach.Binary, err error) {
	for i, p := range pkgs {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		bin, err := reach.Build(ctx, t.m.Go, p, ImportPaths(t.pkgs), filepath.Join(t.proof.dir, fmt.Sprintf("tested%d.test", i)))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			bins = append(bins, bin)
		}
	}
	return bins, nil
}

// prepare builds the driver.
func (t *Attempt) prepare(ctx context.Context, pkgs []gocmd.Package) (*difftest.Plan, error) {
	plan, err := difftest.NewPlan(ctx, difftest.Config{
		Go: t.m.Go, Root: t.m.Snap.Dir, Changed: t.pkgs, Tests: pkgs, Scratch: t.proof.dir, Among: t.among,
		Judges: benchmarksOf(t.judges()),
		Budget: driveBudget(t.p.Left(), len(pkgs)), Seed: t.p.Seed, NoRace: t.m.NoRace != "", Detail: t.detail,
	}, difftest.Change{Before: t.before, After: t.After})
	if err == nil {
		err = plan.Build(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("preparing to drive both versions: %w", err)
	}
	return plan, nil
}

// detail says what is being done, unless the next change is what is shown.
func (t *Attempt) detail(text string) {
	if !t.beside {
		t.m.Watch.Detail(text)
	}
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
	t.beside = true
	t.among = gocmd.Aside()
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
		err = errors.Join(err, t.clear())
	}()
	err = t.pass(ctx, t.policy.inTree)
	free()
	if err == nil && t.Outcome.Kept() {
		err = t.pass(ctx, t.policy.beside)
	}
	if err == nil {
		t.credit()
	}
	return err
}

// clear removes what gather has built.
func (t *Attempt) clear() error {
	dir := t.proof.dir
	t.proof = exhibit{}
	if dir == "" {
		return nil
	}
	return os.RemoveAll(dir)
}

// Free waits until the tree may change.
func (p *Proof) Free() { <-p.free }

// Ended reports whether Wait would return at once.
func (p *Proof) Ended() bool {
	select {
	case <-p.done:
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
