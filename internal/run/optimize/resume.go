package optimize

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/words"
)

// Unfinished finds the run of optimize to go on with in the module that dir is
// in: the newest that has not come to its end, or the one whose ID begins with
// id.
func Unfinished(ctx context.Context, dir, cacheDir, id string) (*store.Past, error) {
	st, err := testbed.OpenStore(ctx, dir, cacheDir)
	if err != nil {
		return nil, err
	}
	past, err := st.Unfinished(ctx, "optimize", id)
	if errors.Is(err, store.ErrNoRun) {
		return nil, testbed.Usage(err.Error())
	}
	return past, err
}

// leastShare is the part of a run's whole budget that it gets at least
// when it goes on: the base has to be built and measured once more.
const leastShare = 0.25

// Left returns how much of its budget a run has left. Of a run that ended
// because it was spent there is nothing left: the error says so.
func Left(past *store.Past, budget time.Duration) (time.Duration, error) {
	if strings.HasPrefix(past.Stopped, "budget") {
		return 0, testbed.Usage(fmt.Sprintf("run %s has spent its budget of %s; give it more with -budget", past.ID, budget))
	}
	least := time.Duration(leastShare * float64(budget))
	return max(budget-past.Spent, least).Round(time.Second / 10), nil
}

// Continue makes opt go on with an earlier run: what it was about is as it was.
func Continue(ctx context.Context, opt *Options, past *store.Past) error {
	place, err := tree.Locate(ctx, opt.Dir)
	if err != nil {
		return fmt.Errorf("%w: %w", testbed.ErrNothing, err)
	}
	opt.Dir = filepath.Join(place.Module, filepath.FromSlash(past.Dir))
	opt.Patterns, opt.Resume = past.Patterns, past
	return nil
}

// A resumption is what there is of the run that this one goes on with. Past is nil for
// a new run.
type resumption struct {
	*store.Past
	log *ledger
}

// Resumed reports whether the session goes on with an earlier run.
func (s *kit) Resumed() bool { return s.opt.Resume != nil }

// id is that of the run; empty for a new one.
func (r *resumption) id() string {
	if r.Past == nil {
		return ""
	}
	return r.ID
}

// beginning is the event that says that this process is at work on the run.
func (r *resumption) beginning(opt Options) store.Event {
	place := r.log.bed.Place
	if r.Past != nil {
		return store.Event{Kind: store.Resume, Verb: opt.Verb, Head: place.Head}
	}
	return store.Event{
		Kind: store.Start, Verb: opt.Verb, Args: opt.Args, Head: place.Head,
		Dir: place.Within(opt.Dir), Patterns: opt.Patterns,
	}
}

// sameHead makes sure that the run goes on where it began.
func (r *resumption) sameHead() error {
	head := r.log.bed.Place.Head
	if r.Past == nil || r.Head == head {
		return nil
	}
	return fmt.Errorf("run %s began on commit %s, and HEAD is %s: what it has kept stands on the former; git checkout %[2]s, or start a new run without -resume",
		r.ID, short(r.Head), short(head))
}

// short is a commit, which a run outside git does not have.
func short(commit string) string { return cmp.Or(words.Commit(commit), "(none)") }

// takeUp takes over what the journal tells of the run. The tree has been
// copied, and the Go version is known.
func (r *resumption) takeUp(ctx context.Context, m *state.Module) error {
	past, run := r.Past, r.log.run
	if past == nil {
		return nil
	}
	if now := run.Env.GoVersion; past.GoVersion != "" && past.GoVersion != now {
		return fmt.Errorf("run %s was measured with %s, and the module now selects %s: set GOTOOLCHAIN=%[2]s, or start a new run without -resume", past.ID, past.GoVersion, now)
	}
	if err := r.adopt(ctx); err != nil {
		return err
	}
	if err := unchanged(m, past); err != nil {
		return err
	}
	run.Started = past.Started
	for _, t := range past.Tried {
		run.Attempts = append(run.Attempts, t.Attempt)
	}
	r.log.warn(model.Warning{
		Seen:  fmt.Sprintf("this run was broken off and went on later, with %d changes tried before", len(past.Tried)),
		Cause: "it was killed or interrupted, or its budget was spent",
		Try:   "nothing: what was kept before was judged by its own duets, and the base and the final comparison are measured afresh",
	})
	return nil
}

// adopt puts into the journal a change that is on the branch already, when a
// kill came between the two.
func (r *resumption) adopt(ctx context.Context) error {
	p, ok := r.log.bed.Run.Pending()
	if !ok {
		return nil
	}
	all, err := tree.Branches(ctx, r.log.bed.Place)
	if err != nil {
		return err
	}
	want := append(changeIDs(r.Kept()), p.Attempt.Change.ID)
	for _, b := range all {
		if b.Run != r.ID || !slices.Equal(b.Changes(), want) {
			continue
		}
		p.Attempt.Commit = b.Commits[len(b.Commits)-1].ID
		if err := r.log.journal(ctx, store.Event{Kind: store.Attempt, Attempt: &p.Attempt, Files: p.Files}); err != nil {
			return err
		}
		r.Tried = append(r.Tried, store.Tried{Attempt: p.Attempt, Files: p.Files})
	}
	return r.log.bed.Run.ClearPending()
}

func changeIDs(tried []store.Tried) []string {
	ids := make([]string, len(tried))
	for i, t := range tried {
		ids[i] = t.Change.ID
	}
	return ids
}

// unchanged makes sure that the files that kept changes touch are as they were
// when the run began.
func unchanged(m *state.Module, past *store.Past) error {
	was := make(map[string]string)
	for _, t := range past.Tried { // of changes that were undone since, too
		for _, f := range t.Files {
			if _, ok := was[f.Path]; !ok {
				was[f.Path] = f.Before
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(was)) {
		if store.ContentSum(m.Read(file)) != was[file] {
			return fmt.Errorf("%s is not what it was when run %s began, and changes that were kept touch it: put it back as it was, or start a new run without -resume", file, past.ID)
		}
	}
	return nil
}

// Replay puts what the run has kept before back into the tree, and returns the
// changes that are left to be tried on top of it. Those in changes, which were
// found in the tree without, are returned when nothing was kept. For a new run
// they all are.
func (s *Session) Replay(ctx context.Context, changes []model.Change) ([]model.Change, error) {
	past := s.opt.Resume
	if past == nil {
		return changes, nil
	}
	s.offers.passOver(past)
	s.outside.resume(past)
	kept := past.Kept()
	if err := s.stack.kept.resume(ctx, past.ID, kept); err != nil {
		return nil, err
	}
	if len(kept) == 0 {
		return slices.DeleteFunc(changes, func(c model.Change) bool { return s.offers.wasTried(c.ID) }), nil
	}
	s.stage("putting back what was kept", fmt.Sprintf("%d changes", len(kept)))
	files, err := reapply(s.m, kept, past.Undone)
	if err != nil {
		return nil, err
	}
	if err := s.rebuild(ctx, kept, files); err != nil {
		return nil, err
	}
	var before plan
	before.of(s.Run)
	defer before.restore(s.Run)
	return s.Explain(ctx)
}

// reapply puts the kept changes into the copy, and returns what they touch,
// with its content. Where none was undone, the result is what it was.
func reapply(m *state.Module, kept []store.Tried, undone bool) (map[string][]byte, error) {
	files, want := make(map[string][]byte), make(map[string]string)
	for _, t := range kept {
		edits, err := m.Snap.ReadPatch([]byte(t.Diff))
		if err == nil {
			_, err = m.Snap.Apply(edits)
		}
		if err != nil {
			return nil, fmt.Errorf("putting %q back: %w; start a new run without -resume", t.Change.Title, err)
		}
		for _, f := range t.Files {
			files[f.Path], want[f.Path] = m.Read(f.Path), f.After
		}
	}
	for file, sum := range want {
		if !undone && store.ContentSum(files[file]) != sum {
			return nil, fmt.Errorf("%s is not what it was with the changes that were kept; start a new run without -resume", file)
		}
	}
	return files, nil
}

// rebuild builds the tree with the kept changes, and makes it the version that
// further changes stand on. Its figures are those of the base with what was
// measured of each change put in.
func (s *Session) rebuild(ctx context.Context, kept []store.Tried, files map[string][]byte) error {
	v, err := s.m.Build(ctx, "resumed", s.stack.now)
	if err != nil {
		return fmt.Errorf("building what was kept: %w", err)
	}
	attempts := make([]model.Attempt, len(kept))
	for i, k := range kept {
		attempts[i] = k.Attempt
	}
	v.Follow(s.stack.orig, files, attempts...)
	s.stack.now = v
	return nil
}
