package optimize

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/tree"
)

// kept is where the changes that a run keeps go: a branch of pawl's, or patches
// in the run's directory. It fills Branch, Patches and what the user does with
// them.
type kept struct {
	run   *model.Run
	place *tree.Place
	m     *state.Module
	scrub *scrub.Scrubber

	rec *tree.Recorder // nil before the first change
}

// open makes the recorder. The branch is called by when the run began, as its
// directory is.
func (k *kept) open(ctx context.Context) (err error) {
	if k.rec != nil {
		return nil
	}
	stamp, _, _ := strings.Cut(k.m.Run.ID, "-")
	k.rec, err = tree.NewRecorder(ctx, k.m.Snap, k.m.Run.Dir, "pawl/"+stamp)
	return err
}

// named notes what the recorder writes to.
func (k *kept) named() { k.run.Branch, k.run.Patches = k.rec.Branch(), k.rec.Patches() }

// resume goes on with the branch and the patches of a run that kept these.
func (k *kept) resume(ctx context.Context, run string, before []store.Tried) error {
	if err := k.open(ctx); err != nil {
		return err
	}
	tip := ""
	for _, t := range before {
		if t.Commit != "" {
			tip = t.Commit
		}
	}
	if err := k.rec.Resume(ctx, run, changeIDs(before), tip); err != nil {
		return err
	}
	k.named()
	return nil
}

// add records a change: a commit on the run's branch, or a patch.
func (k *kept) add(ctx context.Context, t *attempt.Attempt) (err error) {
	if err := k.open(ctx); err != nil {
		return err
	}
	message, _ := k.scrub.Text(runs.CommitMessage(t.Attempt, k.run))
	if t.Commit, _, err = k.rec.Keep(ctx, message, t.After, t.Diff); err != nil {
		return fmt.Errorf("recording %q: %w", t.Change.Title, err)
	}
	k.named()
	return nil
}

// instructions writes how to check, take or drop what was kept. from is the
// directory that the user is in.
func (k *kept) instructions(from string) error {
	k.named()
	script := filepath.Join(k.m.Run.Dir, replayName)
	if err := os.WriteFile(script, []byte(replayScript(k.run, k.place)), 0o700); err != nil {
		return fmt.Errorf("writing the replay script: %w", err)
	}
	shown := script
	if rel, err := filepath.Rel(from, script); err == nil && filepath.IsLocal(rel) {
		shown = rel
	}
	k.run.Replay = "sh " + shown
	k.run.Merge, k.run.Drop = k.rec.Merge(), k.rec.Drop()
	if why := k.rec.Why(); why != "" {
		k.m.Warn(model.Warning{Seen: "kept changes are patches, not commits", Cause: why})
	}
	return nil
}
