package tree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A blob is a file of a commit.
type blob struct {
	mode, id string
	repo     *repository
}

// key names the file that git makes of the blob, at one path and under one
// set of attributes.
func (b blob) key() string { return b.mode + " " + b.id }

// kind is the type of that file.
func (b blob) kind() fs.FileMode {
	if b.mode == modeSymlink {
		return fs.ModeSymlink
	}
	return 0
}

// perm is the mode of that file. What git does not keep is the same for all.
func (b blob) perm() fs.FileMode {
	if b.mode == modeExecutable {
		return 0o700
	}
	return 0o600
}

// The modes of the entries of a git tree.
const (
	modeExecutable = "100755"
	modeSymlink    = "120000"
	modeSubmodule  = "160000"
)

// A repository is one with a commit of it that is wanted: the user's, or that
// of a submodule.
type repository struct {
	at     string // relative to the root; "." for the user's
	gitDir string
	common string // the git directory that linked worktrees share
	commit string
}

// git returns a git for the repository that does not know its working tree,
// which may not be there. It is for commands that use neither index nor files.
func (r *repository) git() git {
	return newGit(r.gitDir).with("GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+r.gitDir)
}

// A commitLister finds the files of a commit. What it keeps is keyed by path
// relative to the root.
type commitLister struct {
	ctx   context.Context
	root  string
	avoid string // the work directory

	blobs map[string]blob
	repos []*repository
	left  []Left
	warn  []model.Warning
}

// add lists the repository, and those of its submodules.
func (l *commitLister) add(r *repository) error {
	recs, err := r.git().list(l.ctx, "ls-tree", "-r", "-z", "--full-tree", r.commit)
	if err != nil {
		return fmt.Errorf("listing the files of %s: %w", words.Commit(r.commit), err)
	}
	l.repos = append(l.repos, r)
	for _, rec := range recs {
		e, ok := parseTreeEntry(rec)
		rel := path.Join(r.at, e.path)
		if !ok || reserved(rel) || within(l.avoid, filepath.Join(l.root, filepath.FromSlash(rel))) {
			continue
		}
		if e.mode == modeSubmodule {
			if err := l.submodule(r, rel, e); err != nil {
				return err
			}
			continue
		}
		l.blobs[rel] = blob{mode: e.mode, id: e.id, repo: r}
	}
	return nil
}

// A treeEntry is a line of git ls-tree.
type treeEntry struct{ mode, id, path string }

// parseTreeEntry reads "mode type id<TAB>path".
func parseTreeEntry(rec string) (treeEntry, bool) {
	meta, name, ok := strings.Cut(rec, "\t")
	f := strings.Fields(meta)
	if !ok || len(f) != 3 || name == "" {
		return treeEntry{}, false
	}
	return treeEntry{mode: f[0], id: f[2], path: name}, true
}

// submodule adds the files of a submodule, which are in no commit of the
// repository around it, if its own repository is here and has its commit.
func (l *commitLister) submodule(outer *repository, rel string, e treeEntry) error {
	for _, dir := range l.submoduleDirs(outer, rel, e) {
		r := &repository{at: rel, gitDir: dir, common: dir, commit: e.id}
		if r.git().ok(l.ctx, "cat-file", "-e", e.id+"^{commit}") {
			return l.add(r)
		}
	}
	if err := l.ctx.Err(); err != nil {
		return err
	}
	l.left = append(l.left, Left{Path: rel + "/", Why: "a submodule that is not here"})
	l.warn = append(l.warn, model.Warning{
		Seen:  fmt.Sprintf("the submodule %s is missing from the files of %s", rel, words.Commit(outer.commit)),
		Cause: "there is no repository here that has its commit " + words.Commit(e.id),
		Try:   "git submodule update --init " + shellQuote(rel) + ", or git fetch in it",
	})
	return nil
}

// submoduleDirs returns the git directories where the commit may be: the one that
// the working tree has there, and the one that git keeps for a submodule that
// the working tree does not have, if it is called by its path, as most are.
func (l *commitLister) submoduleDirs(outer *repository, rel string, e treeEntry) []string {
	var dirs []string
	at := filepath.Join(l.root, filepath.FromSlash(rel))
	if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
		if dir, err := newGit(at).here().line(l.ctx, "rev-parse", "--absolute-git-dir"); err == nil {
			dirs = append(dirs, filepath.FromSlash(dir))
		}
	}
	for _, dir := range []string{outer.gitDir, outer.common} {
		kept := filepath.Join(dir, "modules", filepath.FromSlash(e.path))
		if info, err := os.Stat(filepath.Join(kept, "HEAD")); err == nil && !info.IsDir() {
			dirs = append(dirs, kept)
		}
	}
	return dirs
}

// attributes returns a digest of all that decides, beside the blobs, what
// files git makes of them: line ends, filters, encodings.
func (l *commitLister) attributes() (string, error) {
	h := sha256.New()
	for _, rel := range l.paths() {
		if path.Base(rel) == ".gitattributes" {
			fmt.Fprintf(h, "%s\x00%s\x00", rel, l.blobs[rel].key())
		}
	}
	fmt.Fprintf(h, "%s\x00", os.Getenv(skipSmudge))
	for _, r := range l.repos {
		if err := r.hashSettings(l.ctx, h); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// paths returns the paths of the blobs, sorted.
func (l *commitLister) paths() []string { return slices.Sorted(maps.Keys(l.blobs)) }

// hashSettings adds the repository's configuration, as far as it matters for
// attributes, and the files with attributes that are not in the commit.
func (r *repository) hashSettings(ctx context.Context, h io.Writer) error {
	g := r.git()
	config, err := g.list(ctx, "config", "--list", "-z")
	if err != nil {
		return fmt.Errorf("reading git's configuration: %w", err)
	}
	fmt.Fprintf(h, "%s\x00", r.at)
	files := []string{"/etc/gitattributes"}
	for _, kv := range config {
		if key, _, _ := strings.Cut(kv, "\n"); shapesFiles(key) {
			fmt.Fprintf(h, "%s\x00", kv)
		}
	}
	if f, err := g.line(ctx, "rev-parse", "--git-path", "info/attributes"); err == nil {
		files = append(files, absFrom(r.gitDir, f))
	}
	if f, err := g.line(ctx, "config", "--type=path", "core.attributesFile"); err == nil && f != "" {
		files = append(files, f)
	} else if dir, err := os.UserConfigDir(); err == nil {
		files = append(files, filepath.Join(dir, "git", "attributes"))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			continue // git cannot read it either
		}
		fmt.Fprintf(h, "%d\x00%s", len(data), data)
	}
	return ctx.Err()
}

// shapesFiles reports whether a setting of git's, by its key in lower case, is
// one of those that decide what a checkout writes.
func shapesFiles(key string) bool {
	switch key {
	case "core.autocrlf", "core.eol", "core.attributesfile", "core.symlinks", "core.checkroundtripencoding":
		return true
	}
	return strings.HasPrefix(key, "filter.") || strings.HasPrefix(key, "lfs.")
}

// skipSmudge is the one variable of git's family that checkouts inherit: with
// it, files kept by Git LFS stay pointers, as they then are in the user's tree.
const skipSmudge = "GIT_LFS_SKIP_SMUDGE"

// export writes the files rels of the repository, relative to the root, into
// the empty directory stage, as git would check them out: its filters run, but no
// hook. The index is the file index, which is made. As git looks for
// attributes in the working tree before it looks in the index, the working
// tree is stage.
func (r *repository) export(ctx context.Context, stage, index string, rels []string) error {
	g := newGit(stage).with("GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+stage, "GIT_INDEX_FILE="+index)
	if v, ok := os.LookupEnv(skipSmudge); ok {
		g = g.with(skipSmudge + "=" + v)
	}
	whole := []string{"-c", "core.sparseCheckout=false", "-c", "index.sparse=false", "-c", "core.untrackedCache=false"}
	if _, err := g.run(ctx, nil, append(whole, "read-tree", r.commit)...); err != nil {
		return err
	}
	var names strings.Builder
	for _, rel := range rels {
		names.WriteString(r.inside(rel) + "\x00")
	}
	_, err := g.run(ctx, []byte(names.String()), append(whole, "checkout-index", "-z", "--stdin")...)
	return err
}

// inside returns rel relative to the repository.
func (r *repository) inside(rel string) string {
	if r.at == "." {
		return rel
	}
	return strings.TrimPrefix(rel, r.at+"/")
}
