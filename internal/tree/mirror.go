package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Mirror is a repository, bare or not, whose commits are read. Nothing in it
// is ever written.
type Mirror struct{ git git }

// OpenMirror opens the git directory dir: a bare repository, or one that has a
// .git.
func OpenMirror(ctx context.Context, dir string) (*Mirror, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if fi, err := os.Stat(filepath.Join(dir, ".git")); err == nil && fi.IsDir() {
		dir = filepath.Join(dir, ".git")
	}
	g := newGit(dir).with("GIT_DIR="+dir, "GIT_NO_REPLACE_OBJECTS=1")
	if _, err := g.line(ctx, "rev-parse", "--git-dir"); err != nil {
		return nil, fmt.Errorf("%s is no git repository: %s", dir, message(err))
	}
	return &Mirror{g}, nil
}

// Commit returns the full id of a commit.
func (m *Mirror) Commit(ctx context.Context, rev string) (string, error) {
	if rev == "" || strings.HasPrefix(rev, "-") {
		return "", fmt.Errorf("%q is no name of a commit", rev)
	}
	id, err := m.git.line(ctx, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("there is no commit %s in %s", rev, m.git.dir)
	}
	return id, nil
}

// Changed lists the files that differ between two commits, with slashes,
// relative to the root. A rename is one file less and one more.
func (m *Mirror) Changed(ctx context.Context, from, to string) ([]string, error) {
	return m.differing(ctx, from, to)
}

// Deleted lists the files of one commit that another does not have.
func (m *Mirror) Deleted(ctx context.Context, from, to string) ([]string, error) {
	return m.differing(ctx, from, to, "--diff-filter=D")
}

func (m *Mirror) differing(ctx context.Context, from, to string, filter ...string) ([]string, error) {
	args := append([]string{"diff", "--no-renames", "--name-only", "-z"}, filter...)
	names, err := m.git.list(ctx, append(args, from, to)...)
	if err != nil {
		return nil, fmt.Errorf("comparing %s with %s: %s", from, to, message(err))
	}
	return names, nil
}

// Diff returns the difference of two commits in the named files as a patch with
// the given lines of context.
func (m *Mirror) Diff(ctx context.Context, from, to string, files []string, context int) ([]byte, error) {
	if len(files) == 0 {
		return nil, nil
	}
	args := append([]string{
		"diff", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/",
		fmt.Sprintf("-U%d", context), from, to, "--",
	}, files...)
	out, err := m.git.run(ctx, nil, args...)
	if err != nil {
		return nil, fmt.Errorf("comparing %s with %s: %s", from, to, message(err))
	}
	return out, nil
}

// File returns a file of a commit; ok is false where it has none.
func (m *Mirror) File(ctx context.Context, commit, name string) (data []byte, ok bool) {
	data, err := m.git.run(ctx, nil, "cat-file", "blob", commit+":"+name)
	return data, err == nil
}

// Export writes the files of a commit into dir, which it makes. What the mirror
// does not hold, it may have been made without large files, is named in the
// result and left out.
func (m *Mirror) Export(ctx context.Context, commit, dir string) (missing string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	index := filepath.Join(dir, ".pawl-index")
	defer func() { err = errors.Join(err, os.RemoveAll(index)) }()
	g := m.git.with("GIT_INDEX_FILE="+index, "GIT_WORK_TREE="+dir)
	g.dir = dir // git looks for its work tree around the directory that it is in
	if _, err := g.run(ctx, nil, "read-tree", commit); err != nil {
		return "", fmt.Errorf("reading the files of %s: %s", commit, message(err))
	}
	if _, err := g.run(ctx, nil, "checkout-index", "--all", "--force"); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		missing = message(err)
		if files, rerr := os.ReadDir(dir); rerr != nil || len(files) <= 1 { // the index alone
			return "", fmt.Errorf("taking the files of %s out of the mirror: %s", commit, missing)
		}
	}
	return missing, nil
}

// NewRepository makes a repository of the files in dir, all in one commit.
func NewRepository(ctx context.Context, dir, message string) error {
	g := ownGit(dir)
	if _, err := g.run(ctx, nil, "init", "--quiet", "--initial-branch=main"); err != nil {
		return fmt.Errorf("making a repository of %s: %w", dir, err)
	}
	return commitAll(ctx, g, message)
}

// ReplaceAll commits what write puts in place of all files of a repository that
// NewRepository has made.
func ReplaceAll(ctx context.Context, dir, message string, write func() error) error {
	g := ownGit(dir)
	if _, err := g.run(ctx, nil, "rm", "-r", "--quiet", "--", "."); err != nil {
		return fmt.Errorf("clearing %s: %w", dir, err)
	}
	if err := write(); err != nil {
		return err
	}
	return commitAll(ctx, g, message)
}

// ownGit is the git of a repository that is nobody's: no settings of the user's
// hold there.
func ownGit(dir string) git {
	return newGit(dir).here().with(
		"GIT_AUTHOR_NAME=pawl", "GIT_AUTHOR_EMAIL=pawl@localhost", "GIT_COMMITTER_NAME=pawl", "GIT_COMMITTER_EMAIL=pawl@localhost",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	)
}

func commitAll(ctx context.Context, g git, message string) error {
	for _, args := range [][]string{{"add", "--all", "--force"}, {"commit", "--quiet", "--message=" + message}} {
		if _, err := g.run(ctx, nil, args...); err != nil {
			return fmt.Errorf("committing in %s: %w", g.dir, err)
		}
	}
	return nil
}

// A Span is the lines From to To of a file, counted from 1, both included.
type Span struct {
	File     string
	From, To int
}

// Replaced returns the lines of the old side that a patch takes away or
// changes. Where it only adds, these are the lines above and below.
func Replaced(patch []byte) ([]Span, error) {
	files, err := parsePatch(patch)
	if err != nil {
		return nil, err
	}
	var spans []Span
	for _, f := range files {
		name := strings.TrimPrefix(f.old, "a/")
		if f.created || f.old == "/dev/null" {
			continue
		}
		for _, h := range f.hunks {
			spans = append(spans, replaced(name, h)...)
		}
	}
	return spans, nil
}

func replaced(name string, h hunk) []Span {
	var spans []Span
	add := func(from, to int) {
		if n := len(spans); n > 0 && spans[n-1].To >= from-1 {
			spans[n-1].To = max(to, spans[n-1].To)
			return
		}
		spans = append(spans, Span{name, max(1, from), to})
	}
	at := h.oldStart
	if h.oldLen == 0 {
		at++ // an empty side names the line before
	}
	for _, l := range h.lines {
		switch l.sign {
		case '-':
			add(at, at)
			at++
		case '+':
			if n := len(spans); n == 0 || spans[n-1].To < at-1 {
				add(at-1, at)
			}
		default:
			at++
		}
	}
	return spans
}

// IsCode reports whether a file is code that programs are built from: Go
// files outside testdata that are no tests.
func IsCode(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !inTestdata(name)
}

func inTestdata(name string) bool {
	return strings.HasPrefix(name, "testdata/") || strings.Contains(name, "/testdata/")
}
