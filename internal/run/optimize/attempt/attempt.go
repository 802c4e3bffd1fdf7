package attempt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/worth"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// A Prover has what the attempts of one run have in common.
type Prover struct {
	M          *state.Module
	Trial      *trial.Trial
	Local      *trial.Local
	Plans      []model.Plan          // how the benchmarks of the run are sampled
	Alpha      float64               // error rate of a claim
	MinEffect  float64               // smallest gain worth having, as a fraction
	PerChange  time.Duration         // of the duets of one change
	Left       func() time.Duration  // of the run's budget for finding and trying; never less than 0
	ToProve    func() time.Duration  // of it for the proof of one that is to be kept; at least as much
	Allow      []model.SuspicionKind // what changes may do though it looks like a cheat
	Seed       uint64
	Production *worth.Production // profiles of the program at work; nil where there are none
	MinWorth   float64           // the least part of all of production that a change must save
	Pattern    string            // of the benchmarks of the run
	// Quick is the pattern of those of a package that take no long time; "" where there are none.
	Quick  func(pkg string) string
	Then   []model.Change // what is tried next on the same version
	Last   bool           // nothing else is left to try
	Shares bool           // others wait already for the proof that a change which is to be kept would share
	// Waiting returns how up to n benchmarks are sampled that are not measured yet.
	Waiting func(ctx context.Context, n int) ([]model.Plan, error)
	// NotKept is shown a change that is not kept before its binaries go.
	NotKept func(context.Context, *Attempt)

	built   *state.State    // with the change, by Count
	rising  [][]model.Exact // what Count let through for what it may gain, by benchmark
	ahead   ahead
	proving *Proof   // that was begun last
	last    *Attempt // that was begun
	advised bool     // how to get a production profile was said
}

// An Attempt is one change while it is in the tree. Its checks are of three kinds, which
// know the subject and nothing of one another.
type Attempt struct {
	subject
	compiling
	measuring
	showing
	parts []*Attempt // of Together
}

// A subject is a change, the versions without it and with it, and what is written down
// of it.
type subject struct {
	model.Attempt
	edited
	Base *state.State // the tree without the change
	Next *state.State // and with it

	p      *Prover
	policy Policy
	number int // of the change in this run, from one
}

// of gives the kinds of checks their subject.
func (t *Attempt) of(s subject) *Attempt {
	t.subject = s
	t.compiling.subject, t.measuring.subject, t.showing.subject = &t.subject, &t.subject, &t.subject
	t.proof.of = &t.edited
	return t
}

// Of is an attempt at a change that never was in the tree, with what is known of it.
func Of(a model.Attempt) *Attempt { return new(Attempt).of(subject{Attempt: a}) }

// Try puts one change into the tree, which holds base, and through those checks
// of a policy that need the tree and the machine. On return the tree holds the
// change when the outcome is kept, and is as it was otherwise. One that is kept
// is still to be proven: see Prove. The error is for what prevents an answer, not
// for a bad one.
func (p *Prover) Try(ctx context.Context, base *state.State, c model.Change, number int, policy Policy) (t *Attempt, err error) {
	start := time.Now()
	t = p.begin(c, policy, start)
	t.Base, t.number = base, number
	t.announce()
	if err := t.enter(ctx); err != nil {
		return t, err
	}
	t.Lap("putting the change in", start)
	defer func() {
		t.Seconds = time.Since(start).Seconds()
		err = t.leave(ctx, err)
	}()
	return t, t.pass(ctx, policy.checks)
}

// announce says which change is being tried.
func (t *subject) announce() { t.m.Watch.Stage(fmt.Sprintf("trying %d", t.number), t.Change.Title) }

// pass puts the change through checks until one refuses it.
func (t *Attempt) pass(ctx context.Context, checks []check) error {
	for _, c := range checks {
		from := time.Now()
		r, err := c.run(t, ctx)
		t.Lap(c.name, from)
		if err != nil {
			return err
		}
		if r != nil {
			t.refuse(*r)
			return nil
		}
	}
	return nil
}

// Lap notes a step that began at from and ends now.
func (t *subject) Lap(name string, from time.Time) {
	t.Steps = append(t.Steps, model.Step{Name: name, Seconds: time.Since(from).Seconds()})
}

func (p *Prover) begin(c model.Change, policy Policy, start time.Time) *Attempt {
	t := new(Attempt).of(subject{
		Attempt: model.Attempt{Change: c, Outcome: model.RolledBack, Time: start.UTC()}, edited: edited{m: p.M}, p: p, policy: policy,
	})
	p.last = t
	return t
}

// enter looks at the tree without the change, and applies it.
func (t *Attempt) enter(ctx context.Context) (err error) {
	if t.Diff, err = t.look(ctx, t.Change); err != nil {
		return err
	}
	t.m.Watch.Detail("vet of the base")
	if err := t.m.Guard.VetBase(ctx, ImportPaths(t.pkgs)); err != nil {
		return err
	}
	if err := t.stockBefore(ctx); err != nil {
		return err
	}
	t.p.ahead.plan(t.m, t.Base, t.Change, t.p.Then)
	if err := t.apply(t.Change); err != nil {
		return err
	}
	t.listAgain(ctx)
	return nil
}

// leave takes a change that is not kept out of the tree again.
func (t *Attempt) leave(ctx context.Context, err error) error {
	defer t.failedBenchmarks()
	if err != nil || t.Outcome.Kept() { // what comes next stands on another version
		t.p.ahead.clear()
	}
	if err == nil && t.Outcome.Kept() {
		return nil
	}
	t.noting.Stop()
	t.link.Stop()
	t.begun.Stop()
	err = errors.Join(err, t.proof.clear())
	if err == nil {
		from := time.Now()
		t.p.NotKept(ctx, t)
		t.Lap("profiles of what is not kept", from)
	}
	t.p.ahead.settle()
	if failed := t.undo(); failed != nil {
		err = errors.Join(err, errCopy, failed)
	}
	t.Next.Drop()
	if err == nil {
		err = t.askBase(ctx)
	}
	return err
}

// refuse ends an attempt.
func (t *subject) refuse(r refusal) {
	t.Outcome, t.Reason, t.Price = t.policy.outcome(r), r.text, ""
	switch r.why {
	case uncompared:
		t.Needs = append(slices.Clone(t.p.Allow), model.SuspectUncompared)
	case traded:
		t.Needs = append(slices.Clone(t.p.Allow), model.SuspectTrade)
	default:
		t.Needs = needs(t.Attempt, t.p.Allow)
	}
}

// add takes in a check of the guard. One that was skipped refuses nothing.
func (t *subject) add(c model.Check) *refusal {
	t.Checks = append(t.Checks, c)
	if c.OK || c.Skipped != "" {
		return nil
	}
	r := &refusal{failed, c.Name + ": " + words.FirstError(c.Detail)}
	if len(c.Chance) > 0 { // it fails without the change, too
		r.why = byChance
	}
	return r
}

// Follow has the version with the change take over what is known of the one without it.
func (t *subject) Follow() {
	t.Next.Follow(t.Base, t.After, t.Attempt)
	t.Next.Carry(t.Base, t.before, t.Change.Edits)
}

// Undo takes a change out of the tree that was to be kept.
func (t *Attempt) Undo() error {
	t.begun.Stop()
	t.Next.Drop()
	return errors.Join(t.proof.clear(), t.undo())
}

// Withdraw takes a change out of the tree that was to be kept and whose proof
// has failed. The tree holds it, and nothing on top of it.
func (t *Attempt) Withdraw(ctx context.Context) error { return t.leave(ctx, nil) }

// Rules are the judge's rules for the change number n of this run, counted from
// one. A search over many changes spends its error over all of them.
func (p *Prover) Rules(n int) judge.Rules {
	r := judge.AdoptRules()
	r.Alpha = judge.AlphaAt(p.Alpha, n)
	r.MinEffect = max(p.MinEffect, verdict.LayoutFloor)
	return r
}

// plan returns how a benchmark is sampled.
func (p *Prover) plan(bm model.Benchmark) model.Plan {
	i := slices.IndexFunc(p.Plans, func(q model.Plan) bool { return q.Benchmark == bm })
	return p.Plans[i]
}

// Untried ends an attempt that err kept from coming to an answer. Nothing was
// learned of the change, so it is not remembered as refuted, and the run goes on.
func (t *subject) Untried(err error) {
	t.Outcome = model.Unsettled
	t.Reason = "could not be tried: " + strings.SplitN(err.Error(), "\n", 2)[0]
	t.Checks, t.Verdicts = append(t.Checks, model.Check{Name: "attempt", Detail: err.Error()}), nil
}

// OutOfTime ends an attempt that the time for trying did not suffice for, and says what it was at.
func (t *subject) OutOfTime() {
	why := "the time for trying was over"
	if n := len(t.Steps); n > 0 {
		why += fmt.Sprintf(", after %s of %s", words.Seconds(t.Steps[n-1].Seconds), t.Steps[n-1].Name)
	}
	if t.policy.EndsRun() {
		why += "; a larger -budget goes further"
	}
	t.Untried(errors.New(why))
}

// Late is the attempt that was under way when the budget ended, with what it had
// learned: neither shown nor refuted.
func (p *Prover) Late(reason string) model.Attempt {
	a := p.last.Attempt
	a.Outcome, a.Reason = model.Unsettled, reason
	return a
}

// Unproven ends an attempt whose proof the time did not suffice for. What was
// measured stands, and the change is tried again when the run goes on.
func (t *subject) Unproven() {
	t.Outcome = model.Unsettled
	t.Reason = Join(t.Reason, "there was no time left to show that it behaves as before")
}
