package store

import (
	"context"
	"os"

	"github.com/pawl-dev/pawl/internal/model"
)

// An ideaKey is a change on a Go version: the next compiler may well decide
// otherwise about the same edit.
type ideaKey struct{ change, goVersion string }

// Refuted returns the last attempt at a change on this module with this Go
// version, and true, when that attempt was refuted: rolled back with an answer.
// An attempt that ended undecided is no refutation, for more time or a quieter
// machine may decide it. A journal that cannot be read refutes nothing; the
// worst that follows is that an idea is tried once more.
func (s *Store) Refuted(changeID, goVersion string) (model.Attempt, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index()
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
	events := s.Events(context.Background())
	for e := range events.All() {
		if e.Kind != Attempt || e.Attempt == nil || e.Attempt.Change.ID == "" {
			continue
		}
		key := ideaKey{e.Attempt.Change.ID, e.GoVersion}
		if isRefuted(*e.Attempt) {
			refuted[key] = *e.Attempt
		} else {
			delete(refuted, key)
		}
	}
	if events.Err() == nil {
		s.refuted, s.indexed = refuted, info.Size()
	}
}

func isRefuted(a model.Attempt) bool {
	if a.Outcome != model.RolledBack {
		return false
	}
	return len(a.Verdicts) == 0 || a.Verdicts[0].Answer != model.Undecided
}
