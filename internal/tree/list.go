package tree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A Left is a file or directory that was not copied.
type Left struct {
	Path   string // relative to the root; a directory ends in a slash
	Why    string // "ignored by git", "too large", "not a regular file", …
	Copied int    // files of an ignored directory that were copied all the same
}

// A lister finds the files to copy. What it keeps is keyed by path relative
// to the root, with forward slashes.
type lister struct {
	ctx     context.Context
	root    string
	maxFile int64
	avoid   string   // a directory that must not be walked into: the work directory
	extra   []string // ignored files and directories that are wanted, relative

	files map[string]fs.FileInfo
	left  []Left
	warn  []model.Warning
}

// list fills l for the place p.
func (l *lister) list(p *Place) error {
	l.files = map[string]fs.FileInfo{}
	switch {
	case p.Git:
		if err := l.repo(""); err != nil {
			return err
		}
	case p.Root == p.Module:
		if err := l.walk("", plain); err != nil {
			return err
		}
	default:
		if err := l.workspace(); err != nil {
			return err
		}
	}
	for _, rel := range l.extra {
		if err := l.want(rel); err != nil {
			return err
		}
	}
	l.settle()
	return l.ctx.Err()
}

// repo lists the git repository in the directory rel: what is tracked or could
// be, and of the ignored files those that a build may need.
func (l *lister) repo(rel string) error {
	g := newGit(l.abs(rel)).here()
	names, err := g.list(l.ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return l.unreadable(rel, err)
	}
	for _, name := range names {
		if err := l.listed(path.Join(rel, name)); err != nil {
			return err
		}
	}
	names, err = g.list(l.ctx, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	if err != nil {
		return l.unreadable(rel, err)
	}
	slices.Sort(names)
	covered := "\x00"
	for _, name := range names {
		if strings.HasPrefix(name, covered) {
			continue
		}
		if strings.HasSuffix(name, "/") {
			covered = name
		}
		if err := l.ignored(path.Join(rel, name), strings.HasSuffix(name, "/")); err != nil {
			return err
		}
	}
	return nil
}

// unreadable falls back to walking a nested repository that git refuses. For
// the outermost one there is nothing to fall back to.
func (l *lister) unreadable(rel string, err error) error {
	if l.ctx.Err() != nil {
		return l.ctx.Err()
	}
	if rel == "" {
		return err
	}
	l.warn = append(l.warn, model.Warning{
		Seen:  "git cannot list " + rel + ": " + message(err),
		Cause: "it is a repository of its own that git refuses",
		Try:   "nothing is needed: all its files were copied, ignored ones too",
	})
	return l.walk(rel, plain)
}

// listed takes an entry of git ls-files. A directory among them is a submodule
// or a nested repository: git lists only its name.
func (l *lister) listed(rel string) error {
	if l.skip(rel) {
		return nil
	}
	info, err := os.Lstat(l.abs(rel))
	switch {
	case errors.Is(err, fs.ErrNotExist) || isNotDir(err):
		return nil // deleted, and not yet committed
	case err != nil:
		l.leave(rel, err.Error())
		return nil
	case !info.IsDir():
		l.add(rel, info)
		return nil
	}
	if _, err := os.Lstat(filepath.Join(l.abs(rel), ".git")); err == nil {
		return l.repo(rel)
	}
	return l.walk(rel, plain)
}

// isNotDir reports that a parent of a listed file became a file.
func isNotDir(err error) bool {
	var pe *fs.PathError
	return errors.As(err, &pe) && strings.Contains(pe.Err.Error(), "not a directory")
}

// ignored takes an entry that git ignores, and notes what is left.
func (l *lister) ignored(rel string, dir bool) error {
	if l.skip(rel) {
		return nil
	}
	before := len(l.files)
	if !dir {
		if info, err := os.Lstat(l.abs(rel)); err == nil && needed(rel) {
			l.add(rel, info)
		} else if err == nil {
			l.leave(rel, "ignored by git")
		}
		return nil
	}
	all := true
	err := l.walk(rel, func(rel string, info fs.FileInfo) bool {
		if info.IsDir() {
			return true
		}
		if !needed(rel) {
			all = false
			return false
		}
		return true
	})
	if !all {
		l.left = append(l.left, Left{Path: rel + "/", Why: "ignored by git", Copied: len(l.files) - before})
	}
	return err
}

// needed reports whether an ignored file may be needed by a build or a test:
// sources of every kind that the go command hands to a compiler, module and
// workspace files, and all of a vendor or testdata directory. Anything else that
// git ignores may be a secret or be large, and is left.
func needed(rel string) bool {
	base := path.Base(rel)
	switch base {
	case "go.mod", "go.sum", "go.work", "go.work.sum":
		return true
	}
	switch path.Ext(base) {
	case ".go", ".s", ".S", ".sx", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx",
		".f", ".F", ".for", ".f90", ".swig", ".swigcxx", ".syso":
		return true
	}
	dir := "/" + path.Dir(rel) + "/"
	return strings.Contains(dir, "/vendor/") || strings.Contains(dir, "/testdata/")
}

// plain is the rule for directories without git: all but other ecosystems' stores.
func plain(rel string, info fs.FileInfo) bool {
	return !info.IsDir() || path.Base(rel) != "node_modules"
}

// walk adds the files in the directory rel for which keep holds; it is asked for
// directories too, and those it refuses are not entered.
func (l *lister) walk(rel string, keep func(rel string, info fs.FileInfo) bool) error {
	return filepath.WalkDir(l.abs(rel), func(abs string, d fs.DirEntry, err error) error {
		if l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		sub, relErr := filepath.Rel(l.root, abs)
		if relErr != nil {
			return relErr
		}
		sub = filepath.ToSlash(sub)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				l.leave(sub, err.Error())
			}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil // gone meanwhile
		}
		if sub != "." && (l.skip(sub) || !keep(sub, info)) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.IsDir() {
			l.add(sub, info)
		}
		return nil
	})
}

// workspace lists a root that is the directory of a go.work without git: only
// the modules that it uses or replaces, since the directory itself may be a home
// directory.
func (l *lister) workspace() error {
	for _, name := range []string{"go.work", "go.work.sum", "vendor"} {
		if err := l.want(name); err != nil {
			return err
		}
	}
	data, err := os.ReadFile(filepath.Join(l.root, "go.work"))
	if err != nil {
		return err
	}
	for _, d := range parseMod(data) {
		rel, err := filepath.Rel(l.root, absFrom(l.root, d.Path))
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if err := l.want(filepath.ToSlash(rel)); err != nil {
			return err
		}
	}
	return nil
}

// want adds the file or directory rel, ignored or not, if it is there. A nested
// repository is taken by its own rules.
func (l *lister) want(rel string) error {
	if l.skip(rel) {
		return nil
	}
	info, err := os.Lstat(l.abs(rel))
	if err != nil {
		return nil
	}
	if info.IsDir() {
		return l.walk(rel, plain)
	}
	l.add(rel, info)
	return nil
}

// skip reports whether rel is never copied: git's and pawl's directories.
func (l *lister) skip(rel string) bool {
	return reserved(rel) || l.avoid != "" && within(l.avoid, l.abs(rel))
}

func (l *lister) add(rel string, info fs.FileInfo) {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
	case !info.Mode().IsRegular():
		l.leave(rel, "not a regular file")
		return
	case info.Size() > l.maxFile:
		l.leave(rel, "too large")
		return
	}
	l.files[rel] = info
}

func (l *lister) leave(rel, why string) { l.left = append(l.left, Left{Path: rel, Why: why}) }

// settle drops from left what was copied after all, and warns of what is left
// although git does not ignore it.
func (l *lister) settle() {
	seen := map[string]bool{}
	left := l.left[:0]
	for _, e := range l.left {
		if _, ok := l.files[e.Path]; ok || seen[e.Path] {
			continue
		}
		seen[e.Path] = true
		left = append(left, e)
		if e.Why == "too large" {
			l.warn = append(l.warn, tooLarge(e.Path))
		}
	}
	l.left = left
	sorted.By(l.left, func(a, b Left) int { return strings.Compare(a.Path, b.Path) })
}

func tooLarge(rel string) model.Warning {
	return model.Warning{
		Seen:  rel + " was not copied: it is larger than the limit for one file",
		Cause: "a database, an archive or a dump in the tree",
		Try:   "if a test needs it, give a larger limit; else have git ignore it",
	}
}

func (l *lister) abs(rel string) string { return filepath.Join(l.root, filepath.FromSlash(rel)) }
