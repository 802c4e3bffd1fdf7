package tree

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/words"
)

// The trailers by which pawl knows its own commits again. The report room
// writes them into the messages.
const (
	runTrailer    = "Pawl-Run"
	changeTrailer = "Pawl-Change"
)

// A Branch is a local branch that pawl made, with the commits of one run on it.
type Branch struct {
	Name string // short: "pawl/20260102T150405"
	Tip  string // commit
	Base string // the commit that the run began on; empty when it is not known
	Run  string // the run's ID
	// Commits are the run's, oldest first, and Foreign is how many stand on top
	// of them that pawl did not make.
	Commits []Commit
	Foreign int
	// Worktree is the directory that has the branch checked out, or is in the
	// middle of rebasing it; empty when there is none.
	Worktree string
}

// A Commit is one kept change.
type Commit struct {
	ID      string
	Change  string // the change's ID
	Subject string
}

// Changes returns the IDs of the changes on the branch, oldest first.
func (b *Branch) Changes() []string {
	ids := make([]string, len(b.Commits))
	for i, c := range b.Commits {
		ids[i] = c.Change
	}
	return ids
}

// historyMax is how many commits of a branch are read: more than any run keeps.
const historyMax = "1000"

// Branches returns pawl's branches, by name: those that are called like one and
// hold a commit that says that it is pawl's. No repository has none.
func Branches(ctx context.Context, p *Place) ([]*Branch, error) {
	if !p.Git {
		return nil, nil
	}
	g := newGit(p.Root)
	out, err := g.line(ctx, "for-each-ref", "--format=%(refname)%09%(objectname)%09%(worktreepath)", "refs/heads")
	if err != nil {
		return nil, fmt.Errorf("listing the branches: %w", err)
	}
	var all []*Branch
	for line := range strings.SplitSeq(out, "\n") {
		f := strings.SplitN(line, "\t", 3)
		if len(f) != 3 || !ourName(strings.TrimPrefix(f[0], "refs/heads/")) {
			continue
		}
		b := &Branch{Name: strings.TrimPrefix(f[0], "refs/heads/"), Tip: f[1], Worktree: f[2]}
		if err := b.read(ctx, g); err != nil {
			return nil, err
		}
		if b.Worktree == "" {
			b.Worktree = p.rebasing(f[0])
		}
		if b.Run != "" {
			all = append(all, b)
		}
	}
	return all, nil
}

// ourName reports whether a branch is called as a Recorder calls them.
func ourName(name string) bool {
	rest, ok := strings.CutPrefix(name, "pawl/")
	if !ok {
		rest, ok = strings.CutPrefix(name, "pawl-")
	}
	return ok && rest != ""
}

// read reads the commits of the branch, newest first, down to the first that
// is not of the run of the newest that is pawl's.
func (b *Branch) read(ctx context.Context, g git) error {
	trailer := func(key string) string { return "%(trailers:key=" + key + ",valueonly)" }
	out, err := g.list(ctx, "log", "-z", "--first-parent", "--max-count="+historyMax, "--encoding=UTF-8", "--no-show-signature", "--no-notes",
		"--format=%H%x1f%P%x1f"+trailer(runTrailer)+"%x1f"+trailer(changeTrailer)+"%x1f%s", b.Tip, "--")
	if err != nil {
		return fmt.Errorf("reading the branch %s: %w", b.Name, err)
	}
	for _, rec := range out {
		f := strings.SplitN(rec, "\x1f", 5)
		if len(f) != 5 {
			break
		}
		run := strings.TrimSpace(f[2])
		switch {
		case run == "" && b.Run == "":
			b.Foreign++
			continue
		case b.Run == "":
			b.Run = run
		}
		if run != b.Run {
			break
		}
		b.Commits = append(b.Commits, Commit{ID: f[0], Change: strings.TrimSpace(f[3]), Subject: f[4]})
		b.Base, _, _ = strings.Cut(f[1], " ")
	}
	slices.Reverse(b.Commits)
	return nil
}

// rebasing returns the git directory of the worktree that is in the middle of
// rebasing the branch ref: its HEAD is detached meanwhile.
func (p *Place) rebasing(ref string) string {
	dirs := []string{p.CommonDir}
	if more, err := filepath.Glob(filepath.Join(p.CommonDir, "worktrees", "*")); err == nil {
		dirs = append(dirs, more...)
	}
	for _, dir := range dirs {
		for _, how := range []string{"rebase-merge", "rebase-apply"} {
			data, err := os.ReadFile(filepath.Join(dir, how, "head-name"))
			if err == nil && strings.TrimSpace(string(data)) == ref {
				return dir
			}
		}
	}
	return ""
}

// unlock removes the lock that a git which was killed has left on one of pawl's
// branches. Only the holder of the lock of the branch's run may call it.
func (p *Place) unlock(branch string) {
	_ = os.Remove(filepath.Join(p.CommonDir, "refs", "heads", filepath.FromSlash(branch)+".lock"))
}

// BranchLocks returns the locks that a git has on branches called like pawl's,
// or has left there.
func BranchLocks(p *Place) []string {
	heads := filepath.Join(p.CommonDir, "refs", "heads")
	if !p.Git {
		return nil
	}
	var locks []string
	_ = filepath.WalkDir(heads, func(at string, d fs.DirEntry, err error) error {
		name, lock := strings.CutSuffix(at, ".lock")
		if rel, relErr := filepath.Rel(heads, name); err == nil && relErr == nil && lock && d.Type().IsRegular() && ourName(filepath.ToSlash(rel)) {
			locks = append(locks, at)
		}
		return nil
	})
	return locks
}

// Elsewhere returns the refs outside pawl's own branches whose history has the
// commit, in short: where it was merged.
func Elsewhere(ctx context.Context, p *Place, commit string) ([]string, error) {
	g := newGit(p.Root)
	out, err := g.line(ctx, "for-each-ref", "--contains="+commit, "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags")
	if err != nil {
		return nil, fmt.Errorf("looking for where %s was merged: %w", words.Commit(commit), err)
	}
	var refs []string
	for _, full := range strings.Fields(out) {
		short := full
		for _, prefix := range []string{"refs/heads/", "refs/remotes/", "refs/tags/"} {
			short = strings.TrimPrefix(short, prefix)
		}
		_, name, remote := strings.Cut(short, "/")
		ours := ourName(short) || strings.HasPrefix(full, "refs/remotes/") && remote && ourName(name)
		if !ours {
			refs = append(refs, short)
		}
	}
	return refs, nil
}

// Delete removes the branch, if it still is what was read. The commits stay in
// git for as long as git keeps what no branch has.
func (b *Branch) Delete(ctx context.Context, p *Place) error {
	if b.Worktree != "" {
		return fmt.Errorf("%s is checked out in %s", b.Name, b.Worktree)
	}
	if err := newGit(p.Root).updateRef(ctx, "-d", "refs/heads/"+b.Name, b.Tip); err != nil {
		return fmt.Errorf("deleting the branch %s: %w", b.Name, err)
	}
	return nil
}
