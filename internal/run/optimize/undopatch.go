package optimize

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/words"
)

// patch drops a patch from its series.
func (u *undoer) patch(ctx context.Context) (*Undone, error) {
	c := u.c
	done := &Undone{Run: c.run, Change: c.id, Title: c.title, Patch: c.patch}
	series, err := tree.PatchFiles(u.runDir(c.run))
	if err != nil {
		return nil, err
	}
	var rest []tree.PatchFile
	for _, f := range series {
		if f.Path != c.patch {
			rest = append(rest, f)
		}
	}
	i := slices.IndexFunc(series, func(f tree.PatchFile) bool { return f.Path == c.patch })
	if done.Later = len(series) - 1 - i; done.Later > 0 {
		if err := u.applies(ctx, rest, i); err != nil {
			return nil, err
		}
	}
	if u.opt.Dry {
		return done, nil
	}
	ctx = context.WithoutCancel(ctx)
	if err := u.store.Append(ctx, store.Event{Kind: store.Undo, Run: c.run, Change: c.id, Text: store.UndoneReason}); err != nil {
		return nil, err
	}
	return done, u.forget(false, nil)
}

// applies makes sure that a series of patches applies to the tree and builds. Those from
// the number later on come after the one that is dropped.
func (u *undoer) applies(ctx context.Context, series []tree.PatchFile, later int) error {
	snap, err := u.bed.Tree(ctx, "")
	if err != nil {
		return err
	}
	var files []string
	for i, f := range series {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			return fmt.Errorf("reading a patch: %w", err)
		}
		edits, err := snap.ReadPatch(data)
		if err == nil {
			_, err = snap.Apply(edits)
		}
		switch {
		case err == nil:
		case i < later:
			return fmt.Errorf("%s does not apply to the tree as it is, so that nobody can tell what undoing a later patch does: %w; where the series is applied already, git apply -R takes one back", filepath.Base(f.Path), err)
		default:
			return &tree.DependsError{Change: u.c.title, Later: filepath.Base(f.Path), Why: err.Error()}
		}
		files = append(files, attempt.EditedFiles(edits)...)
	}
	return u.vet(ctx, snap, files)
}

// forget takes the change out of the directory of its run: its patch, and what
// the run says about it. gone says that the branch is.
func (u *undoer) forget(gone bool, moved map[string]string) error {
	series, err := tree.PatchFiles(u.runDir(u.c.run))
	if err != nil {
		return err
	}
	var removed []string
	for _, f := range series {
		if f.Change != u.c.id {
			continue
		}
		if err := os.Remove(f.Path); err != nil {
			return fmt.Errorf("removing the patch: %w", err)
		}
		removed = append(removed, f.Path)
	}
	r, err := u.store.Load(u.c.run)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := range r.Attempts {
		a := &r.Attempts[i]
		if to, ok := moved[a.Commit]; ok {
			a.Commit = to
		}
		if a.Change.ID == u.c.id && a.Outcome.Kept() {
			a.Outcome, a.Reason, a.Commit = model.RolledBack, store.UndoneReason+"; it was kept for: "+a.Reason, ""
		}
	}
	r.Patches = slices.DeleteFunc(r.Patches, func(p string) bool { return slices.Contains(removed, p) })
	if gone || r.Branch == "" && len(r.Patches) == 0 {
		r.Branch, r.Merge, r.Drop, r.Replay = "", "", "", ""
		_ = os.Remove(filepath.Join(u.runDir(u.c.run), replayName))
	}
	return errors.Join(u.bed.Run.Save(*r), u.rewriteReplay(removed))
}

// rewriteReplay leaves out of the replay script the patches that are gone.
func (u *undoer) rewriteReplay(removed []string) error {
	name := filepath.Join(u.runDir(u.c.run), replayName)
	script, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the replay script: %w", err)
	}
	lines := strings.SplitAfter(string(script), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return slices.ContainsFunc(removed, func(p string) bool {
			return strings.HasPrefix(line, "patch ") && strings.Contains(line, words.Quote(p))
		})
	})
	if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o700); err != nil {
		return fmt.Errorf("writing the replay script: %w", err)
	}
	return nil
}
