package store

import (
	"context"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// An ideaKey is a change on a Go version: the next compiler may well decide
// otherwise about the same edit. What the user has undone has no version: it
// was no compiler that refuted it.
type ideaKey struct{ change, goVersion string }

// Refuted returns the last attempt at a change on this module with this Go
// version, and true, when that attempt was refuted: rolled back with an answer.
// An attempt that ended undecided is no refutation, for more time or a quieter
// machine may decide it, nor is one that a test ended which fails without the
// change, too. A journal that cannot be read refutes nothing; the
// worst that follows is that an idea is tried once more.
func (s *Store) Refuted(changeID, goVersion string) (model.Attempt, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index()
	if a, ok := s.refuted[ideaKey{changeID, ""}]; ok {
		return a, true
	}
	a, ok := s.refuted[ideaKey{changeID, goVersion}]
	return a, ok
}

// index brings s.refuted up to date. Journals only grow, so their size tells
// whether there is anything new.
func (s *Store) index() {
	info, err := os.Stat(s.journal())
	if err != nil {
		s.refuted, s.indexed = nil, -1
		return
	}
	if info.Size() == s.indexed {
		return
	}
	refuted := make(map[ideaKey]model.Attempt)
	events := s.events(context.Background())
	for e := range events.All() {
		note(refuted, e)
	}
	if events.Err() == nil {
		s.refuted, s.indexed = refuted, info.Size()
	}
}

// Joined returns an attempt with what one before it has shown of the same change, where both were rolled back: one benchmark
// after another may judge it.
func Joined(before, a model.Attempt) model.Attempt {
	if before.Outcome == model.RolledBack && a.Outcome == model.RolledBack {
		a.Verdicts = slices.Concat(a.Verdicts, before.Verdicts)
		a.Change.Targets = slices.Concat(a.Change.Targets, before.Change.Targets)
	}
	return a
}

func note(refuted map[ideaKey]model.Attempt, e Event) {
	if e.Kind == Undo && e.Change != "" {
		refuted[ideaKey{e.Change, ""}] = model.Attempt{
			Change: model.Change{ID: e.Change}, Outcome: model.RolledBack, Reason: UndoneReason, Time: e.Time,
		}
	}
	if e.Kind != Attempt || e.Attempt == nil || e.Attempt.Change.ID == "" {
		return
	}
	key := ideaKey{e.Attempt.Change.ID, e.GoVersion}
	delete(refuted, ideaKey{key.change, ""})
	if IsRefuted(*e.Attempt) {
		refuted[key] = Joined(refuted[key], *e.Attempt)
	} else {
		delete(refuted, key)
	}
}

// IsRefuted reports whether an attempt was rolled back with an answer. Journals
// of before there was an outcome for what is undecided have it as rolled back.
func IsRefuted(a model.Attempt) bool {
	if a.Outcome != model.RolledBack || slices.ContainsFunc(a.Checks, func(c model.Check) bool { return len(c.Chance) > 0 }) {
		return false
	}
	return len(a.Verdicts) == 0 || a.Verdicts[0].Answer != model.Undecided
}
