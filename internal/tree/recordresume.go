package tree

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/internal/words"
)

// Resume makes r go on where an earlier run in the same runDir ended: run is
// its ID, and changes are the IDs of what it has kept, in order. The branch is
// found by what its commits say. tip is the last commit that the journal knows,
// and counts when there is no such branch any more: the next commit then opens
// a new one on it. So it does where somebody has put commits of their own on
// the branch. Patches of changes that are not kept are removed.
func (r *Recorder) Resume(ctx context.Context, run string, changes []string, tip string) error {
	if err := r.resumePatches(changes); err != nil {
		return err
	}
	if r.whyNot != "" {
		return nil
	}
	all, err := Branches(ctx, r.snap.Place)
	if err != nil {
		return fmt.Errorf("resuming: %w", err)
	}
	for _, b := range all {
		if b.Run == run {
			return r.resumeBranch(b, changes)
		}
	}
	switch {
	case len(changes) == 0:
	case tip == "":
		r.whyNot = patchesAlready
	case !r.git.ok(ctx, "merge-base", "--is-ancestor", r.start, tip):
		return fmt.Errorf("resuming: the branch is gone, and so is its last commit %s, or HEAD has moved: start a new run", words.Commit(tip))
	default:
		r.tip = tip
	}
	return ctx.Err()
}

const patchesAlready = "earlier changes of this run are patches"

// resumePatches takes up the series of patches.
func (r *Recorder) resumePatches(changes []string) error {
	series, err := PatchFiles(r.runDir)
	if err != nil {
		return fmt.Errorf("resuming: %w", err)
	}
	for _, f := range series {
		r.number = max(r.number, f.Number)
		if len(r.files) < len(changes) && f.Change == changes[len(r.files)] {
			r.files = append(r.files, f.Path)
			continue
		}
		// A kill came before the journal knew of it.
		if err := os.Remove(f.Path); err != nil {
			return fmt.Errorf("resuming: %w", err)
		}
	}
	if n := len(r.files); n < len(changes) {
		return fmt.Errorf("resuming: change %s has no patch in %s: start a new run", changes[n], r.patchDir())
	}
	return nil
}

// resumeBranch takes up the branch, which holds what was kept, or the beginning
// of it when the rest are patches.
func (r *Recorder) resumeBranch(b *Branch, changes []string) error {
	have := b.Changes()
	switch {
	case b.Base != r.start:
		return fmt.Errorf("resuming: HEAD has moved since the run began: %s stands on %s, and HEAD is %s; check that out, or start a new run", b.Name, words.Commit(b.Base), words.Commit(r.start))
	case len(have) > len(changes) || !slices.Equal(have, changes[:len(have)]):
		return fmt.Errorf("resuming: %s does not hold what the journal says (%d changes, and not %d): end an undo that was broken off with pawl undo, or start a new run", b.Name, len(have), len(changes))
	case len(have) < len(changes):
		r.whyNot = patchesAlready
	}
	r.tip = b.Commits[len(have)-1].ID
	if b.Foreign == 0 {
		r.snap.Place.unlock(b.Name)
		r.branch = b.Name
	}
	return nil
}
