package testbed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/tree"
)

// CleanOptions say what of pawl's is to be listed.
type CleanOptions struct {
	Dir      string // a directory of the module
	CacheDir string // os.UserCacheDir
	All      bool   // the copies of all modules' trees
	Runs     bool   // the directories of runs
	Before   time.Time
	Branches bool // pawl's branches that were merged
	Journal  bool
}

// A Leftover is one thing that pawl has left and that may go.
type Leftover struct {
	What  string
	Path  string // or the name of a branch
	Bytes int64  // 0 for a branch
	Note  string // why it stays, or what is lost with it
	Stays bool

	remove func(context.Context) error
}

// Remove removes it. What stays stays.
func (l Leftover) Remove(ctx context.Context) error {
	if l.Stays {
		return nil
	}
	return l.remove(ctx)
}

// Leftovers lists what pawl has left of its work on a module: copies of trees,
// caches, temporary directories, half-written files, and what the options ask for. Nothing that a
// running pawl uses may go. It writes nothing; tidy, to be called after the
// last Remove, removes directories that are empty then.
func Leftovers(ctx context.Context, opt CleanOptions) (all []Leftover, tidy func() error, err error) {
	place, err := tree.Locate(ctx, opt.Dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrNothing, err)
	}
	copies, err := workLeftovers(place, opt)
	if err != nil {
		return nil, nil, err
	}
	tidy = func() error { return nil }
	var kept []Leftover
	if dir, ok := tree.FindState(place, opt.CacheDir); ok {
		st, err := store.Open(dir)
		if err != nil {
			return nil, nil, err
		}
		if kept, err = stateLeftovers(ctx, st, opt); err != nil {
			return nil, nil, err
		}
		tidy = st.RemoveEmpty
	}
	locks, err := lockLeftovers(place, opt)
	if err != nil {
		return nil, nil, err
	}
	all = slices.Concat(copies, scratchLeftovers(), locks, kept)
	if opt.Branches {
		merged, err := branchLeftovers(ctx, place)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, merged...)
	}
	return all, tidy, nil
}

func workLeftovers(place *tree.Place, opt CleanOptions) ([]Leftover, error) {
	directories, err := tree.WorkDirectories(place, opt.CacheDir, opt.All)
	if err != nil {
		return nil, err
	}
	var out []Leftover
	for _, w := range directories {
		w.Measure()
		l := Leftover{What: "copy of the tree", Path: w.Path, Bytes: w.Bytes, remove: func(context.Context) error { return removeWork(w) }}
		if opt.All {
			l.What = "copy of a tree"
		}
		if w.Busy {
			l.Stays, l.Note = true, fmt.Sprintf("process %d is at work in it since %s", w.Holder.PID, w.Holder.Since.Local().Format(time.DateTime))
		}
		out = append(out, l)
	}
	for _, verb := range []string{"find", "score"} {
		if dir := filepath.Join(opt.CacheDir, "pawl", verb); opt.All && isDir(dir) {
			out = append(out, Leftover{What: "results of " + verb, Path: dir, Bytes: store.Size(dir), remove: func(context.Context) error { return os.RemoveAll(dir) }})
		}
	}
	return out, nil
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// scratchLeftovers lists the temporary directories of pawls that were killed, of
// whatever verb and module.
func scratchLeftovers() []Leftover {
	var out []Leftover
	for _, dir := range gocmd.LeftScratch("") {
		out = append(out, Leftover{What: "temporary directory", Path: dir, Bytes: store.Size(dir), remove: func(context.Context) error {
			if !gocmd.RemoveLeft(dir) {
				return fmt.Errorf("removing %s: it stays; the next pawl tries again", dir)
			}
			return nil
		}})
	}
	return out
}

// lockTakes is much more time than git holds the lock of a branch for.
const lockTakes = time.Minute

// lockLeftovers lists the locks on pawl's branches that a git which was killed
// has left. While a pawl of the user is at work, young ones may be its own.
func lockLeftovers(place *tree.Place, opt CleanOptions) ([]Leftover, error) {
	directories, err := tree.WorkDirectories(place, opt.CacheDir, true)
	if err != nil {
		return nil, err
	}
	busy := slices.ContainsFunc(directories, func(w tree.WorkDirectory) bool { return w.Busy })
	var out []Leftover
	for _, at := range tree.BranchLocks(place) {
		info, err := os.Stat(at)
		if err != nil {
			continue // it has gone by itself
		}
		l := Leftover{What: "lock of a branch", Path: at, remove: func(context.Context) error { return os.Remove(at) }}
		if busy && time.Since(info.ModTime()) < lockTakes {
			l.Stays, l.Note = true, "a pawl is at work"
		}
		out = append(out, l)
	}
	return out, nil
}

// removeWork ends what a killed pawl has left running in the directory first: it
// would write on while the directory goes.
func removeWork(w tree.WorkDirectory) error {
	endStrays(w.Path)
	return w.Remove()
}

func stateLeftovers(ctx context.Context, st *store.Store, opt CleanOptions) ([]Leftover, error) {
	found, err := st.Leftovers(ctx, store.Sweep{Runs: opt.Runs, Before: opt.Before, Journal: opt.Journal})
	if err != nil {
		return nil, err
	}
	var out []Leftover
	for _, f := range found {
		out = append(out, Leftover{
			What: f.What, Path: f.Path, Bytes: f.Bytes, Note: f.Note, Stays: f.Stays,
			remove: func(context.Context) error { return st.Remove(f) },
		})
	}
	return out, nil
}

// branchLeftovers lists pawl's branches. Those that were merged may go.
func branchLeftovers(ctx context.Context, place *tree.Place) ([]Leftover, error) {
	branches, err := tree.Branches(ctx, place)
	if err != nil {
		return nil, err
	}
	var out []Leftover
	for _, b := range branches {
		refs, err := tree.Elsewhere(ctx, place, b.Tip)
		if err != nil {
			return nil, err
		}
		l := Leftover{What: "branch", Path: b.Name, remove: func(ctx context.Context) error { return b.Delete(ctx, place) }}
		switch {
		case b.Worktree != "":
			l.Stays, l.Note = true, "it is checked out in "+b.Worktree
		case len(refs) == 0:
			l.Stays, l.Note = true, fmt.Sprintf("its %d commits are in no other branch; git branch -D %s removes it", len(b.Commits)+b.Foreign, b.Name)
		default:
			l.Note = "merged into " + strings.Join(refs[:min(3, len(refs))], ", ")
		}
		out = append(out, l)
	}
	return out, nil
}
