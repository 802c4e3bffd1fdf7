package optimize

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/change/propose/outside"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/words"
)

// A twin is what a proposal compiles to on top of a version.
type twin struct {
	base  *state.State
	title string
	like  state.Likeness
}

// A proposing run has others propose changes.
type proposing struct {
	*kit
	outside *outsiders
}

// Asks reports whether the run has proposers to ask, and something to ask about.
func (s *proposing) Asks() bool { return len(s.opt.Outsiders.Commands) > 0 && len(s.Run.Targets) > 0 }

// more waits for proposals where nothing else is left to try, and begins the
// next round where none is to come. It reports whether there is one.
func (s *proposing) more(ctx context.Context) (bool, error) {
	o := s.outside
	for len(o.queue) == 0 {
		if o.pending == 0 && !s.askRound() {
			return false, nil
		}
		left := s.budget.forTrying()
		if left <= 0 || ctx.Err() != nil {
			return false, ctx.Err()
		}
		s.stage("waiting for proposals", words.Plural(o.pending, "call"))
		if err := o.wait(left); err != nil {
			return false, err
		}
	}
	return true, nil
}

// askRound begins a round, if one may be and there is something to ask.
func (s *proposing) askRound() bool {
	if o := s.outside; !o.may() || o.round == o.Limit.Rounds || s.budget.forTrying() <= 0 {
		return false
	}
	qs := s.questions()
	if len(qs) == 0 {
		return false
	}
	s.outside.ask(qs)
	return true
}

// propose puts one proposal through what every stranger's change has to pass.
func (s *proposing) propose(ctx context.Context, p proposal) error {
	if len(s.stack.open) > 0 { // a stranger's change is read on top of a version that stays
		s.outside.back(p)
		return s.stack.settle(ctx)
	}
	c, err := s.proposed(p)
	if c == nil || err != nil {
		return err
	}
	defer s.prover.Forget()
	number := s.stack.turn()
	limited, cancel := s.budget.limited(ctx, attempt.Policy{})
	defer cancel()
	a, reached, err := s.screen(limited, p, *c, number)
	switch {
	case err != nil && late(limited):
		s.outside.back(p)
		return nil
	case err != nil:
		return err
	case a != nil:
		s.offers.tried[c.ID] = *a
		if err := s.log.untested(ctx, *a); err != nil {
			return err
		}
		return s.log.show(*a, number)
	case len(reached.Plans) == 0:
		return nil
	}
	s.page.quote(s.stack.now, []model.Change{*c})
	return s.one(ctx, *c, attempt.Proposed(reached, s.aim(p).Benchmark))
}

// proposed reads a proposal as a change of the version as it is. It returns nil
// for one that is not to be tried, which is noted.
func (s *proposing) proposed(p proposal) (*model.Change, error) {
	count, again := s.Run.Proposers, p.fn+"\x00"+p.Diff
	if s.outside.seen[again] == s.stack.now {
		count.Equal++
		return nil, nil
	}
	s.outside.seen[again] = s.stack.now
	edits, diff, err := s.applies(p)
	if err != nil {
		return nil, err
	}
	if edits == nil {
		return nil, nil
	}
	sum := sha256.Sum256([]byte(model.KindProposal + "\x00" + diff))
	id := fmt.Sprintf("%x", sum[:6])
	if s.offers.wasTried(id) || slices.ContainsFunc(s.Run.Attempts, func(a model.Attempt) bool { return a.Diff == diff }) {
		s.turnDown(p, &count.Equal, "not tried", "it is the same as one that was tried")
		return nil, nil
	}
	if a, ok := s.offers.store.Refuted(id, s.Run.Env.GoVersion); ok && !s.opt.Retry {
		s.turnDown(p, &count.Known, "not tried", refutedOn+a.Time.Format("2006-01-02")+": "+a.Reason)
		return nil, nil
	}
	edits, tests := guard.OwnTests(edits, s.m.Read)
	c := &model.Change{
		ID: id, Kind: model.KindProposal, Class: "B", Title: title(p), Hypothesis: p.Reason, Edits: edits, Tests: tests,
	}
	if t := s.aim(p); t.ID != "" {
		c.Targets = []model.Target{t}
	}
	return c, nil
}

// applies returns the edits of a proposal, and the diff that they make; none where
// it does not apply to the version as it is, or cannot be written. That is the
// proposal's fault; the error is for a copy that is spoiled.
func (s *proposing) applies(p proposal) (edits []model.Edit, diff string, err error) {
	edits, err = s.m.Snap.ReadPatch([]byte(p.Diff))
	var undo func() error
	if err == nil {
		undo, err = s.m.Snap.Apply(edits)
	}
	if err != nil {
		s.turnDown(p, &s.Run.Proposers.Unfit, "does not apply", err.Error())
		return nil, "", nil
	}
	if err := undo(); err != nil {
		return nil, "", fmt.Errorf("taking a proposal out of the copy: %w", err)
	}
	diff, err = s.m.Snap.Diff(edits)
	return edits, diff, err
}

// title is that of a proposal, which says whose words it has.
func title(p proposal) string {
	if p.Reason == "" {
		return "proposed for " + words.Symbol(p.fn)
	}
	return "proposed: " + strings.TrimSuffix(words.Clip(p.Reason, mostTitle), ".")
}

const mostTitle = 100

// aim is the costliest target in the function that a proposal is for; zero where
// it costs nothing any more.
func (s *proposing) aim(p proposal) model.Target {
	i := slices.IndexFunc(s.Run.Targets, func(t model.Target) bool { return t.Func == p.fn })
	if i < 0 {
		return model.Target{}
	}
	return s.Run.Targets[i]
}

// turnDown counts a proposal that is not tried, and notes why for the one who proposes
// next. What came before the run went on was counted, or tried, then.
func (s *proposing) turnDown(p proposal, count *int, outcome, reason string) {
	if p.before {
		return
	}
	*count++
	s.outside.refused[p.fn] = append(s.outside.refused[p.fn], outside.Tried{
		Title: title(p), Diff: words.Clip(p.Diff, mostDiff), Outcome: outcome, Reason: words.Clip(reason, mostDetail),
	})
	s.opt.Watch.Line(fmt.Sprintf("%s: %s: %s", outcome, title(p), words.FirstLine(reason)))
}

// screen looks at a change before anything is timed. It returns the attempt where
// that was the end of it, and else the benchmarks that run the change; none where
// it is another one's twin.
func (s *proposing) screen(ctx context.Context, p proposal, c model.Change, number int) (*model.Attempt, attempt.Reached, error) {
	var none attempt.Reached
	a, refused, err := s.prover.Screen(ctx, c)
	if err != nil && ctx.Err() == nil && !attempt.Spoiled(err) {
		err = fmt.Errorf("reading it: %v", err) // it could be written and taken back: what is wrong is the change
	}
	if !refused && err == nil {
		a, refused, err = s.prover.Count(ctx, s.stack.now, c, number)
	}
	if refused && err == nil {
		return &a, none, nil
	}
	if err == nil && s.twin(p, c) {
		return nil, none, nil
	}
	reached := none
	if err == nil {
		reached, err = s.reach(ctx, c)
	}
	switch {
	case err != nil && attempt.OfTheGround(ctx, err):
		return nil, none, err
	case err != nil:
		t := attempt.Of(model.Attempt{Change: c, Time: time.Now().UTC()})
		t.Untried(err)
		return &t.Attempt, none, nil
	case len(reached.Plans) == 0:
		a, err = s.prover.NotCovered(c)
		return &a, none, err
	}
	return nil, reached, nil
}

// reach finds the benchmarks that run a change, and makes sure that the
// compiler's notes are about the packages that it changes.
func (s *proposing) reach(ctx context.Context, c model.Change) (attempt.Reached, error) {
	reached, err := s.prover.Reach(ctx, c)
	if err != nil {
		return reached, err
	}
	return reached, s.note(ctx, c)
}

// twin reports whether a proposal compiles to what another one on the same version,
// or that version itself, does. Then there is nothing to learn from it.
func (s *proposing) twin(p proposal, c model.Change) bool {
	like := s.prover.Built().Likeness()
	known := slices.Concat([]twin{{s.stack.now, "the version without it", s.stack.now.Likeness()}}, s.outside.tested)
	for _, t := range known {
		if t.base == s.stack.now && t.like.Same(like) {
			s.turnDown(p, &s.Run.Proposers.Equal, "not tried", "it compiles to the same as "+t.title)
			return true
		}
	}
	s.outside.tested = append(s.outside.tested, twin{s.stack.now, c.Title, like})
	return false
}
