package loop

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/tree"
)

// Unfinished finds the run of optimize to go on with in the module that dir is
// in: the newest that has not come to its end, or the one whose ID begins with
// id.
func Unfinished(ctx context.Context, dir, cacheDir, id string) (*store.Past, error) {
	st, err := stand.OpenStore(ctx, dir, cacheDir)
	if err != nil {
		return nil, err
	}
	past, err := st.Unfinished(ctx, "optimize", id)
	if errors.Is(err, store.ErrNoRun) {
		return nil, stand.Usage(err.Error())
	}
	return past, err
}

// leastShare is the part of a run's whole budget that it gets at the least
// when it goes on: the base has to be built and measured once more.
const leastShare = 0.25

// Left returns how much of its budget a run has left. Of a run that ended
// because it was spent there is nothing left: the error says so.
func Left(past *store.Past, budget time.Duration) (time.Duration, error) {
	if strings.HasPrefix(past.Stopped, "budget") {
		return 0, stand.Usage(fmt.Sprintf("run %s has spent its budget of %s; give it more with -budget", past.ID, budget))
	}
	least := time.Duration(leastShare * float64(budget))
	return max(budget-past.Spent, least).Round(time.Second / 10), nil
}

// Continue makes opt go on with an earlier run: what it was about is as it was.
func Continue(ctx context.Context, opt *Options, past *store.Past) error {
	place, err := tree.Locate(ctx, opt.Dir)
	if err != nil {
		return fmt.Errorf("%w: %w", stand.ErrNothing, err)
	}
	opt.Dir = filepath.Join(place.Module, filepath.FromSlash(past.Dir))
	opt.Args, opt.Patterns, opt.Resume = past.Args, past.Patterns, past
	return nil
}

// Resumed reports whether the session goes on with an earlier run.
func (s *Session) Resumed() bool { return s.opt.Resume != nil }

func (s *Session) resumeID() string {
	if past := s.opt.Resume; past != nil {
		return past.ID
	}
	return ""
}

// beginning is the event that says that this process is at work on the run.
func (s *Session) beginning() store.Event {
	if s.Resumed() {
		return store.Event{Kind: store.Resume, Verb: s.opt.Verb, Head: s.place.Head}
	}
	return store.Event{
		Kind: store.Start, Verb: s.opt.Verb, Args: s.opt.Args, Head: s.place.Head,
		Dir: s.within(s.opt.Dir), Patterns: s.opt.Patterns,
	}
}

// within returns a folder of the module relative to it.
func (s *Session) within(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if rel, err := filepath.Rel(s.place.Module, dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return "."
}

// sameHead makes sure that the run goes on where it began.
func (s *Session) sameHead() error {
	past := s.opt.Resume
	if past == nil || past.Head == s.place.Head {
		return nil
	}
	return fmt.Errorf("run %s began on commit %s, and HEAD is %s: what it has kept stands on the former; git checkout %[2]s, or start a new run without -resume",
		past.ID, short(past.Head), short(s.place.Head))
}

func short(commit string) string {
	if commit == "" {
		return "(none)"
	}
	return commit[:min(12, len(commit))]
}

// takeUp takes over what the journal tells of the run. The tree has been
// copied, and the Go version is known.
func (s *Session) takeUp(ctx context.Context) error {
	past := s.opt.Resume
	if past == nil {
		return nil
	}
	if now := s.Run.Env.GoVersion; past.GoVersion != "" && past.GoVersion != now {
		return fmt.Errorf("run %s was measured with %s, and the module now selects %s: set GOTOOLCHAIN=%[2]s, or start a new run without -resume", past.ID, past.GoVersion, now)
	}
	if err := s.adopt(ctx, past); err != nil {
		return err
	}
	if err := s.unchanged(past); err != nil {
		return err
	}
	s.Run.Started = past.Started
	for _, t := range past.Tried {
		s.Run.Attempts = append(s.Run.Attempts, t.Attempt)
	}
	s.warn(model.Warning{
		Seen:  fmt.Sprintf("this run was broken off and went on later, with %d changes tried before", len(past.Tried)),
		Cause: "it was killed or interrupted, or its budget was spent",
		Try:   "nothing: what was kept before was judged by its own duets, and the base and the final comparison are measured afresh",
	})
	return nil
}

// adopt puts into the journal a change that is on the branch already, when a
// kill came between the two.
func (s *Session) adopt(ctx context.Context, past *store.Past) error {
	p, ok := s.rec.Pending()
	if !ok {
		return nil
	}
	all, err := tree.Branches(ctx, s.place)
	if err != nil {
		return err
	}
	want := append(changeIDs(past.Kept()), p.Attempt.Change.ID)
	for _, b := range all {
		if b.Run != past.ID || !slices.Equal(b.Changes(), want) {
			continue
		}
		p.Attempt.Commit = b.Commits[len(b.Commits)-1].ID
		if err := s.journal(ctx, store.Event{Kind: store.Attempt, Attempt: &p.Attempt, Files: p.Files}); err != nil {
			return err
		}
		past.Tried = append(past.Tried, store.Tried{Attempt: p.Attempt, Files: p.Files})
	}
	return s.rec.ClearPending()
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
func (s *Session) unchanged(past *store.Past) error {
	was := make(map[string]string)
	for _, t := range past.Tried { // of changes that were undone since, too
		for _, f := range t.Files {
			if _, ok := was[f.Path]; !ok {
				was[f.Path] = f.Before
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(was)) {
		if contentSum(s.read(file)) != was[file] {
			return fmt.Errorf("%s is not what it was when run %s began, and changes that were kept touch it: put it back as it was, or start a new run without -resume", file, past.ID)
		}
	}
	return nil
}

// contentSum is the sum of a file's content; empty where there is no file.
func contentSum(data []byte) string {
	if data == nil {
		return ""
	}
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// sums says what the files that a change touches held before and after it.
func (t *tried) sums() []store.FileSum {
	var out []store.FileSum
	for _, file := range slices.Sorted(maps.Keys(t.before)) {
		out = append(out, store.FileSum{Path: file, Before: contentSum(t.before[file]), After: contentSum(t.after[file])})
	}
	return out
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
	for _, t := range past.Tried {
		s.tried[t.Change.ID] = true
	}
	kept := past.Kept()
	if err := s.resumeRecorder(ctx, past.ID, kept); err != nil {
		return nil, err
	}
	if len(kept) == 0 {
		return slices.DeleteFunc(changes, func(c model.Change) bool { return s.tried[c.ID] }), nil
	}
	s.stage("putting back what was kept", fmt.Sprintf("%d changes", len(kept)))
	files, err := s.reapply(kept, past.Undone)
	if err != nil {
		return nil, err
	}
	if err := s.rebuild(ctx, kept, files); err != nil {
		return nil, err
	}
	plan := s.Run.Prospects // what is reported is the plan before any edit
	targets, unexplained := s.Run.Targets, s.Run.Unexplained
	defer func() { s.Run.Prospects, s.Run.Targets, s.Run.Unexplained = plan, targets, unexplained }()
	return s.Explain(ctx)
}

// resumeRecorder makes the recorder go on with the branch and the patches.
func (s *Session) resumeRecorder(ctx context.Context, run string, kept []store.Tried) error {
	keep, err := s.recorder(ctx)
	if err != nil {
		return err
	}
	tip := ""
	for _, t := range kept {
		if t.Commit != "" {
			tip = t.Commit
		}
	}
	if err := keep.Resume(ctx, run, changeIDs(kept), tip); err != nil {
		return err
	}
	s.keep = keep
	s.Run.Branch, s.Run.Patches = keep.Branch(), keep.Patches()
	return nil
}

// reapply puts the kept changes into the copy, and returns what they touch,
// with its content. Where none was undone, the result is what it was.
func (s *Session) reapply(kept []store.Tried, undone bool) (map[string][]byte, error) {
	files, want := make(map[string][]byte), make(map[string]string)
	for _, t := range kept {
		edits, err := s.snap.ReadPatch([]byte(t.Diff))
		if err == nil {
			_, err = s.snap.Apply(edits)
		}
		if err != nil {
			return nil, fmt.Errorf("putting %q back: %w; start a new run without -resume", t.Change.Title, err)
		}
		for _, f := range t.Files {
			files[f.Path], want[f.Path] = s.read(f.Path), f.After
		}
	}
	for file, sum := range want {
		if !undone && contentSum(files[file]) != sum {
			return nil, fmt.Errorf("%s is not what it was with the changes that were kept; start a new run without -resume", file)
		}
	}
	return files, nil
}

// rebuild builds the tree with the kept changes, and makes it the version that
// further changes stand on. Its figures are those of the base with what was
// measured of each change put in.
func (s *Session) rebuild(ctx context.Context, kept []store.Tried, files map[string][]byte) error {
	v, err := s.buildVersion(ctx, "resumed")
	if err != nil {
		return fmt.Errorf("building what was kept: %w", err)
	}
	stats := s.orig.stats
	for _, k := range kept {
		stats = restate(stats, k.Attempt)
	}
	v.stats = stats
	for bm, c := range s.orig.costs {
		if !s.orig.runs(bm, files) {
			v.costs[bm] = c
		}
	}
	s.now = v
	return nil
}
