package optimize

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/tree"
)

// UndoOptions say which kept change is to be dropped.
type UndoOptions struct {
	Dir      string // a directory of the module
	Which    string // the beginning of a change's ID or of a commit; empty for the last that was kept
	Dry      bool   // only work out what would be done
	Env      []string
	CacheDir string // os.UserCacheDir
}

// An Undone is a kept change that was dropped, or would be.
type Undone struct {
	Run    string
	Change string // ID
	Title  string
	Commit string // empty for a patch
	Branch string // that it was on
	Old    string // the branch's tip before
	New    string // and after; empty when the branch goes
	Patch  string // the file that goes; empty when there is none
	Later  int    // how many later changes were put on top of what was before it
	// Merged are the refs outside pawl's branches that have the commit too.
	Merged []string
}

// A keptChange is one that can be dropped: a commit on one of pawl's branches,
// or a patch.
type keptChange struct {
	run, id, title string
	branch         *tree.Branch
	commit         tree.Commit
	patch          string
}

// An undoer drops one change.
type undoer struct {
	opt   UndoOptions
	bed   *testbed.Testbed
	place *tree.Place
	store *store.Store
	pasts []*store.Past
	c     keptChange
}

// Undo drops a kept change from pawl's branch, or from a series of patches, and
// notes in the journal that it is not to be tried again. Later changes stay
// where they apply and build without it; else the error says which one stands
// on it. The user's tree, index and HEAD are not touched.
func Undo(ctx context.Context, opt UndoOptions) (*Undone, error) {
	u := &undoer{opt: opt}
	var err error
	if u.place, err = tree.Locate(ctx, opt.Dir); err != nil {
		return nil, fmt.Errorf("%w: %w", testbed.ErrNothing, err)
	}
	dir, ok := tree.FindState(u.place, opt.CacheDir)
	if !ok {
		return nil, testbed.Usage("pawl has kept nothing in this module yet")
	}
	if u.store, err = store.Open(dir); err != nil {
		return nil, err
	}
	if u.pasts, err = u.store.Pasts(ctx); err != nil {
		return nil, err
	}
	if err := u.choose(ctx); err != nil {
		return nil, err
	}
	// A user who has cleaned the runs away can still drop what is on a branch.
	if err := os.MkdirAll(u.runDir(u.c.run), 0o700); err != nil {
		return nil, fmt.Errorf("undoing %q: %w", u.c.title, err)
	}
	u.bed, err = testbed.Open(ctx, testbed.Options{Verb: "undo", Dir: opt.Dir, Env: opt.Env, CacheDir: opt.CacheDir, Start: time.Now(), Resume: u.c.run})
	if err != nil {
		return nil, err
	}
	defer u.bed.Close()
	if u.c.branch != nil {
		return u.commit(ctx)
	}
	return u.patch(ctx)
}

// choose finds the change that is meant.
func (u *undoer) choose(ctx context.Context) error {
	all, err := u.candidates(ctx)
	if err != nil {
		return err
	}
	which := u.opt.Which
	if which == "" {
		if len(all) == 0 {
			return testbed.Usage("there is nothing to undo: no branch of pawl's and no series of patches holds a kept change")
		}
		u.c = all[0]
		return nil
	}
	found := slices.DeleteFunc(slices.Clone(all), func(c keptChange) bool {
		return !strings.HasPrefix(c.id, which) && !strings.HasPrefix(c.commit.ID, which)
	})
	switch {
	case len(found) == 1:
		u.c = found[0]
		return nil
	case len(found) > 1:
		return testbed.Usage(fmt.Sprintf("%d kept changes begin with %q: give more of the change's ID or of its commit", len(found), which))
	}
	return u.nowhere(ctx, which)
}

// nowhere is the error for a change that is on no branch of pawl's: it was
// merged, or somebody has deleted the branch.
func (u *undoer) nowhere(ctx context.Context, which string) error {
	for _, p := range u.pasts {
		for _, t := range p.Kept() {
			if t.Commit == "" || !strings.HasPrefix(t.Change.ID, which) && !strings.HasPrefix(t.Commit, which) {
				continue
			}
			refs, err := tree.Elsewhere(ctx, u.place, t.Commit)
			if err == nil && len(refs) > 0 {
				return fmt.Errorf("%q is on no branch of pawl's any more, and is in %s: there, git revert %s takes it back", t.Change.Title, strings.Join(refs, ", "), short(t.Commit))
			}
			return fmt.Errorf("%q is on no branch any more: there is nothing to undo", t.Change.Title)
		}
	}
	return testbed.Usage(fmt.Sprintf("no kept change has %q as its ID or commit; pawl log RUN lists both", which))
}

// candidates lists what can be dropped, the last that was kept first. The
// branches say what is there, and not the journal: an undo may have been
// killed between the two.
func (u *undoer) candidates(ctx context.Context) ([]keptChange, error) {
	branches, err := tree.Branches(ctx, u.place)
	if err != nil {
		return nil, err
	}
	var all []keptChange
	for _, p := range u.runs(branches) {
		var of []keptChange
		on := make(map[string]bool)
		for _, b := range branches {
			if b.Run != p.ID {
				continue
			}
			for _, c := range b.Commits {
				on[c.Change] = true
				of = append(of, keptChange{run: p.ID, id: c.Change, title: c.Subject, branch: b, commit: c})
			}
		}
		patches, err := u.patches(p, on)
		if err != nil {
			return nil, err
		}
		of = append(of, patches...)
		slices.Reverse(of)
		all = append(all, of...)
	}
	return all, nil
}

// runs returns the runs that the journal knows, newest first, and after them
// those that only a branch tells of.
func (u *undoer) runs(branches []*tree.Branch) []*store.Past {
	runs := slices.Clone(u.pasts)
	for _, b := range branches {
		if !slices.ContainsFunc(runs, func(p *store.Past) bool { return p.ID == b.Run }) {
			runs = append(runs, &store.Past{ID: b.Run})
		}
	}
	return runs
}

// patches lists the changes of a run that are no commits.
func (u *undoer) patches(p *store.Past, on map[string]bool) ([]keptChange, error) {
	series, err := tree.PatchFiles(u.runDir(p.ID))
	if err != nil {
		return nil, err
	}
	var out []keptChange
	for _, f := range series {
		i := -1 // the last attempt at it: one before that was undecided
		for j, t := range p.Tried {
			if t.Change.ID == f.Change {
				i = j
			}
		}
		if i < 0 || on[f.Change] || p.Tried[i].Outcome.Kept() && p.Tried[i].Commit != "" {
			continue
		}
		out = append(out, keptChange{run: p.ID, id: f.Change, title: p.Tried[i].Change.Title, patch: f.Path})
	}
	return out, nil
}

func (u *undoer) runDir(id string) string { return filepath.Join(u.store.Dir(), "runs", id) }

// commit drops a commit from its branch.
func (u *undoer) commit(ctx context.Context) (*Undone, error) {
	objects := ""
	if u.opt.Dry { // nothing goes into the repository
		objects = filepath.Join(u.bed.Scratch, "objects")
		if err := os.MkdirAll(objects, 0o700); err != nil {
			return nil, err
		}
	}
	c := u.c
	plan, err := tree.Undo(ctx, u.place, c.branch, c.commit, u.bed.Scratch, objects)
	if err != nil {
		return nil, err
	}
	done := &Undone{
		Run: c.run, Change: c.id, Title: c.title, Commit: c.commit.ID, Branch: c.branch.Name,
		Old: c.branch.Tip, New: plan.New, Later: len(plan.Moved),
	}
	if done.Merged, err = tree.Elsewhere(ctx, u.place, c.commit.ID); err != nil {
		return nil, err
	}
	if u.opt.Dry {
		return done, nil
	}
	if len(plan.Moved) > 0 {
		if err := u.builds(ctx, plan.New, plan.Files); err != nil {
			return nil, err
		}
	}
	ctx = context.WithoutCancel(ctx)
	e := store.Event{Kind: store.Undo, Run: c.run, Change: c.id, Commit: c.commit.ID, Moved: plan.Moved, Text: store.UndoneReason}
	if err := u.store.Append(ctx, e); err != nil {
		return nil, err
	}
	if err := plan.Do(ctx); err != nil {
		return nil, err
	}
	return done, u.forget(plan.New == "", plan.Moved)
}

// builds makes sure that later changes build without the one that is dropped,
// tests included.
func (u *undoer) builds(ctx context.Context, commit string, files []string) error {
	snap, err := u.bed.Tree(ctx, commit)
	if err != nil {
		return err
	}
	return u.vet(ctx, snap, files)
}

func (u *undoer) vet(ctx context.Context, snap *tree.Snapshot, files []string) error {
	g, err := gocmd.New(ctx, gocmd.Config{
		Dir: snap.ModuleDir, Env: u.opt.Env, GOWORK: snap.GOWORK,
		State: filepath.Join(u.bed.Scratch, "go"), Meter: u.bed.Meter,
	})
	if err != nil {
		return err
	}
	args := []string{"vet"}
	for _, file := range files {
		rel, err := filepath.Rel(snap.ModuleDir, filepath.Join(snap.Dir, filepath.FromSlash(path.Dir(file))))
		if err != nil || !snap.InModules(file) {
			continue
		}
		if rel = "./" + filepath.ToSlash(rel); !slices.Contains(args, rel) {
			args = append(args, rel)
		}
	}
	if len(args) == 1 {
		return nil
	}
	_, err = g.Run(ctx, gocmd.Build, args...)
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return &tree.DependsError{Change: u.c.title, Later: "one of the later changes", Why: strings.TrimSpace(ge.Output)}
	}
	return err
}
