package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// An Undoing is a branch of pawl's without one of its commits: worked out, and
// not done yet.
type Undoing struct {
	Branch  *Branch
	Dropped Commit
	// New is the tip that the branch gets; empty when no commit of the run would
	// be left on it, and it goes.
	New   string
	Moved map[string]string // later commits, by the commits that take their place
	Files []string          // that later commits touch, relative to the root

	place *Place
}

// A DependsError says that a change cannot be dropped, since a later one
// stands on it.
type DependsError struct {
	Change, Later string // as people call them
	Why           string
}

func (d *DependsError) Error() string {
	return fmt.Sprintf("%q stands on %q, and does not apply without it: %s; undo that one first", d.Later, d.Change, d.Why)
}

// Undo works out what the branch b is without one of its commits: each later
// one is put on top of what was before, by its diff and without any fuzz. It
// writes objects, and moves no branch before Do: with a directory in objects they
// go there, and not into the repository. scratch is a directory for an index. The
// user's tree and index are not used.
//
// It refuses a branch that somebody has checked out, or has put commits of
// their own on: only pawl's own commits are written anew.
func Undo(ctx context.Context, p *Place, b *Branch, drop Commit, scratch, objects string) (*Undoing, error) {
	i := slices.IndexFunc(b.Commits, func(c Commit) bool { return c.ID == drop.ID })
	switch {
	case i < 0:
		return nil, fmt.Errorf("%s does not have the commit %s", b.Name, words.Commit(drop.ID))
	case b.Worktree != "":
		return nil, fmt.Errorf("%s is checked out in %s, and pawl does not change what somebody works on: there, git revert %s takes the change back", b.Name, b.Worktree, words.Commit(drop.ID))
	case b.Foreign > 0:
		return nil, fmt.Errorf("%s has %d commits on top that pawl did not make, and it does not write them anew: git revert %s takes the change back", b.Name, b.Foreign, words.Commit(drop.ID))
	}
	u := &Undoing{Branch: b, Dropped: drop, Moved: make(map[string]string), place: p}
	if len(b.Commits) == 1 {
		return u, nil
	}
	dir, err := os.MkdirTemp(scratch, "index-")
	if err != nil {
		return nil, fmt.Errorf("undoing %q: %w", drop.Subject, err)
	}
	defer os.RemoveAll(dir)
	g := newGit(p.Root).with("GIT_INDEX_FILE=" + filepath.Join(dir, "index"))
	if objects != "" {
		g = g.with("GIT_OBJECT_DIRECTORY="+objects, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+filepath.Join(p.CommonDir, "objects"))
	}
	u.New = b.Base
	if i > 0 {
		u.New = b.Commits[i-1].ID
	}
	return u, u.replay(ctx, g, b.Commits[i+1:])
}

// replay puts the commits on top of u.New.
func (u *Undoing) replay(ctx context.Context, g git, later []Commit) error {
	if _, err := g.run(ctx, nil, "read-tree", u.New); err != nil {
		return fmt.Errorf("undoing %q: %w", u.Dropped.Subject, err)
	}
	for _, c := range later {
		names, err := g.list(ctx, "diff-tree", "-r", "-z", "--no-commit-id", "--name-only", "--no-renames", c.ID)
		if err != nil {
			return fmt.Errorf("undoing %q: %w", u.Dropped.Subject, err)
		}
		diff, err := g.run(ctx, nil, "diff-tree", "-p", "--no-commit-id", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", c.ID)
		if err != nil {
			return fmt.Errorf("undoing %q: %w", u.Dropped.Subject, err)
		}
		_, err = g.run(ctx, diff, "-c", "core.autocrlf=false", "-c", "apply.ignoreWhitespace=no", "apply", "--cached", "--whitespace=nowarn", "-")
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return &DependsError{Change: u.Dropped.Subject, Later: c.Subject, Why: message(err)}
		}
		id, err := u.again(ctx, g, c)
		if err != nil {
			return fmt.Errorf("undoing %q: writing %q anew: %w", u.Dropped.Subject, c.Subject, err)
		}
		u.Moved[c.ID], u.New = id, id
		for _, name := range names {
			if !slices.Contains(u.Files, name) {
				u.Files = append(u.Files, name)
			}
		}
	}
	return nil
}

// again writes a commit with the tree of g's index and on top of u.New, and all
// else as it was: author, dates and message. A signature would not hold.
func (u *Undoing) again(ctx context.Context, g git, c Commit) (string, error) {
	tree, err := g.line(ctx, "write-tree", "--missing-ok")
	if err != nil {
		return "", err
	}
	was, err := g.run(ctx, nil, "cat-file", "commit", c.ID)
	if err != nil {
		return "", err
	}
	out, err := g.run(ctx, recommit(was, tree, u.New), "hash-object", "-t", "commit", "-w", "--stdin")
	return strings.TrimSpace(string(out)), err
}

// recommit returns the text of a commit with another tree and parent. A header
// is a line, and lines that begin with a blank go on with the one before.
func recommit(commit []byte, tree, parent string) []byte {
	head, body, _ := bytes.Cut(commit, []byte("\n\n"))
	var out bytes.Buffer
	fmt.Fprintf(&out, "tree %s\nparent %s\n", tree, parent)
	skip := false
	for line := range strings.SplitSeq(string(head), "\n") {
		key, _, _ := strings.Cut(line, " ")
		if key != "" {
			skip = key == "tree" || key == "parent" || strings.HasPrefix(key, "gpgsig")
		}
		if !skip {
			out.WriteString(line + "\n")
		}
	}
	out.WriteByte('\n')
	out.Write(body)
	return out.Bytes()
}

// Do moves the branch, if it still is what Undo saw; it removes the branch when
// nothing of the run is left on it.
func (u *Undoing) Do(ctx context.Context) error {
	u.place.unlock(u.Branch.Name)
	if u.New == "" {
		return u.Branch.Delete(ctx, u.place)
	}
	err := newGit(u.place.Root).updateRef(ctx, "-m", "pawl: undo "+u.Dropped.Change, "refs/heads/"+u.Branch.Name, u.New, u.Branch.Tip)
	if err != nil {
		return fmt.Errorf("moving the branch %s: %w", u.Branch.Name, err)
	}
	return nil
}

// A PatchFile is one change of a series in a run's directory.
type PatchFile struct {
	Path   string
	Number int
	Change string // the change's ID, as its message has it; empty when it has none
}

// PatchFiles returns the series of patches in the directory of a run, in order.
func PatchFiles(runDir string) ([]PatchFile, error) {
	byNumber, err := numbered(filepath.Join(runDir, "patches"))
	if err != nil {
		return nil, fmt.Errorf("listing the patches: %w", err)
	}
	var out []PatchFile
	for n, path := range byNumber {
		data, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading a patch: %w", err)
		}
		out = append(out, PatchFile{Path: path, Number: n, Change: changeOf(data)})
	}
	sorted.By(out, func(a, b PatchFile) int { return a.Number - b.Number })
	return out, nil
}

// changeOf reads the ID of a change off the message of its patch, which ends
// where the diff begins.
func changeOf(patch []byte) string {
	id := ""
	for line := range strings.SplitSeq(string(patch), "\n") {
		if line == "---" {
			break
		}
		if v, ok := strings.CutPrefix(line, changeTrailer+": "); ok {
			id = strings.TrimSpace(v)
		}
	}
	return id
}
