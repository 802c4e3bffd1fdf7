package optimize

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
)

// A ledger is where a run is written down: in the files of its directory and in the
// journal.
type ledger struct {
	run   *model.Run
	bed   *testbed.Testbed
	watch testbed.Watcher

	mu sync.Mutex // held while the warnings of the run change, or are read beside a proof
}

// journal appends an event of this run.
func (l *ledger) journal(ctx context.Context, e store.Event) error {
	return l.bed.Journal(ctx, l.run.Env.GoVersion, e)
}

// save writes the run as it is now.
func (l *ledger) save() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bed.Run.Save(*l.run)
}

// warn may be called by a proof, too.
func (l *ledger) warn(w model.Warning) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.run.Warnings = append(l.run.Warnings, w)
}

// record puts an attempt into the run and all its files.
func (l *ledger) record(ctx context.Context, t *attempt.Attempt, number int) error {
	if err := l.note(ctx, t); err != nil {
		return err
	}
	return l.show(t.Attempt, number)
}

// show writes the diff of an attempt that is in the run, and says what became of it.
func (l *ledger) show(a model.Attempt, number int) error {
	if _, err := l.bed.Run.Diff(fmt.Sprintf("%04d-%s", number, a.Change.ID), a.Diff); err != nil {
		return err
	}
	l.watch.Line(fmt.Sprintf("%s %s: %s: %s", runs.Mark(a.Outcome), a.Outcome, a.Change.Title, a.Reason))
	return l.save()
}

// note puts an attempt into the run and the journal. Once it is there, it needs
// no note of its own any more.
func (l *ledger) note(ctx context.Context, t *attempt.Attempt) error {
	l.run.Attempts = append(l.run.Attempts, t.Attempt)
	e := store.Event{Kind: store.Attempt, Attempt: &t.Attempt}
	if t.Outcome.Kept() {
		e.Files = t.Sums()
		// A change that is on the branch goes into the journal, whatever the user
		// has pressed meanwhile.
		ctx = context.WithoutCancel(ctx)
	}
	if err := l.journal(ctx, e); err != nil {
		return err
	}
	return l.bed.Run.ClearPending()
}

// untested records an attempt that ended before anything was measured.
func (l *ledger) untested(ctx context.Context, a model.Attempt) error {
	l.run.Attempts = append(l.run.Attempts, a)
	return l.journal(ctx, store.Event{Kind: store.Attempt, Attempt: &a})
}

// asked records the call of an outside proposer, with what it answered.
func (l *ledger) asked(ctx context.Context, c model.Call, answers []model.Proposal) error {
	if l.run.Proposers == nil {
		l.run.Proposers = new(model.Proposers)
	}
	l.run.Proposers.Add(c)
	return l.journal(ctx, store.Event{Kind: store.Ask, Call: &c, Proposals: answers})
}

// stop ends the record of the run; it works with a cancelled context too.
func (l *ledger) stop(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	return errors.Join(
		l.save(),
		l.journal(ctx, store.Event{Kind: store.Final, Results: l.run.Results}),
		l.journal(ctx, store.Event{Kind: store.Stop, Text: l.run.Stopped}),
	)
}
