package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/pawl-dev/pawl/internal/run/optimize"
	"github.com/pawl-dev/pawl/internal/words"
)

const undoManual = `
Undo drops one kept change: the last one, or the one with that ID or commit. The
beginning of either is enough (pawl log RUN prints both). It removes the
commit from pawl's branch, or the patch from its series. The journal notes that
the change is not to be tried again; -retry tries it all the same.

Later changes stay. Where one of them does not apply, or does not build,
without the one that goes, undo names it and changes nothing. They were
measured and tested with it, as were changes that were checked at once with it
(Pawl-Behaviour in their commits): run your tests again.

Undo rewrites pawl's own branch only, and only while nobody has it checked out
or has put commits of their own on it. What was merged stays merged: undo
prints where, and what reverts it.`

func runUndo(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	fs := v.flags()
	dry := fs.Bool("n", false, "only show what would be done")
	chdir := fs.String("C", "", "change to `dir` first")
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	if len(operands) > 1 {
		return 0, usageError("undo takes one change at a time")
	}
	dir, err := changeDir(e, *chdir)
	if err != nil {
		return 0, err
	}
	cache, err := cacheDir()
	if err != nil {
		return 0, err
	}
	u, err := optimize.Undo(ctx, optimize.UndoOptions{Dir: dir, Which: last(operands), Dry: *dry, Env: e.environ, CacheDir: cache})
	if err != nil {
		return 0, err
	}
	printUndone(e.plain(), u, *dry)
	return exitOK, nil
}

// printUndone says what was dropped, or would be, and how to get it back.
func printUndone(w io.Writer, u *optimize.Undone, dry bool) {
	done := "undone"
	if dry {
		done = "would be undone"
	}
	fmt.Fprintf(w, "%s: %s (change %s of run %s)\n", done, u.Title, u.Change, u.Run)
	switch {
	case u.Patch != "":
		fmt.Fprintf(w, "patch   %s goes\n", u.Patch)
	case u.New == "":
		fmt.Fprintf(w, "branch  %s goes, as nothing else was kept on it\n", u.Branch)
	case dry:
		fmt.Fprintf(w, "branch  %s, now at %s\n", u.Branch, words.Commit(u.Old))
	default:
		fmt.Fprintf(w, "branch  %s, from %s to %s\n", u.Branch, words.Commit(u.Old), words.Commit(u.New))
	}
	if u.Later > 0 {
		fmt.Fprintf(w, "later   %d changes stay; they were measured and tested with it\n", u.Later)
	}
	if u.Old != "" && !dry {
		fmt.Fprintf(w, "back    git branch -f %s %s\n", u.Branch, words.Commit(u.Old))
	}
	if len(u.Merged) > 0 {
		fmt.Fprintf(w, "merged  it is in %s too: there, git revert %s takes it back\n", strings.Join(u.Merged, ", "), words.Commit(u.Commit))
	}
}
