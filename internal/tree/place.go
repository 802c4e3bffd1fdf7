package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Place is where the user's module is, as Locate found it. All directories are
// absolute and free of symlinks.
type Place struct {
	Module string // the directory of go.mod
	Root   string // the directory that is copied: see the package comment

	Git       bool   // Root is the top of a git repository, or of a worktree of one
	NoGit     string // where Git is false, why, as the end of a sentence about the module
	GitDir    string // of this worktree
	CommonDir string // of the repository: objects and refs are here
	Head      string // commit; empty before the first one
	Branch    string // short name; empty when HEAD is detached

	// Dirty says that the tree differs from HEAD or has untracked files, and
	// DirtyFiles names them, relative to Root with forward slashes. A
	// submodule counts as one file.
	Dirty      bool
	DirtyFiles map[string]bool

	Writable    bool // .pawl can be made in Module, or is there and can be written
	GitWritable bool // objects and refs can be written

	Warnings []model.Warning
}

// Locate finds the module and, if there is one, the git repository that dir
// is in. It runs git, not the go command. The error, when there is no go.mod
// in dir or above, says what to do.
func Locate(ctx context.Context, dir string) (*Place, error) {
	dir, err := canonical(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for a module: %w", err)
	}
	module, ok := walkUp(dir, "go.mod")
	if !ok {
		return nil, NoModule(dir)
	}
	p := &Place{Module: module, Root: module, DirtyFiles: map[string]bool{}}
	p.Writable = stateWritable(module)
	if err := p.locateGit(ctx); err != nil {
		return nil, err
	}
	if !p.Git {
		p.Root = workspaceRoot(module)
	}
	return p, nil
}

// Rel returns the module's directory relative to the root, with forward slashes;
// "." when they are the same.
func (p *Place) Rel() string {
	rel, err := filepath.Rel(p.Root, p.Module)
	if err != nil {
		return "."
	}
	return filepath.ToSlash(rel)
}

// canonical returns the directory dir, or the directory of the file dir, as an
// absolute path without symlinks.
func canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	abs, err = filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err != nil {
		return "", err
	} else if !info.IsDir() {
		abs = filepath.Dir(abs)
	}
	return abs, nil
}

// walkUp returns the nearest directory, from dir upwards, with a file of that
// name.
func walkUp(dir, name string) (string, bool) {
	for {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// NoModule is the error where there is no go.mod in dir or above it: it names the
// modules of a workspace, and what to do.
func NoModule(dir string) error {
	work, ok := walkUp(dir, "go.work")
	if !ok {
		return fmt.Errorf("no go.mod in %s or above it: change to the directory of a Go module, or make one with go mod init", dir)
	}
	var uses []string
	if data, err := os.ReadFile(filepath.Join(work, "go.work")); err == nil {
		for _, d := range parseMod(data) {
			if d.Verb != "use" {
				continue
			}
			use := absFrom(work, d.Path)
			if rel, err := filepath.Rel(dir, use); err == nil {
				use = filepath.ToSlash(rel)
			}
			uses = append(uses, use)
		}
	}
	if len(uses) == 0 {
		return fmt.Errorf("no go.mod in %s or above it, and %s uses no module: add one with go work use DIR", dir, filepath.Join(work, "go.work"))
	}
	return fmt.Errorf("%s is in a workspace but in none of its modules, %s: say which, with -C %s behind the verb", dir, strings.Join(uses, ", "), uses[0])
}

// workspaceRoot returns the directory of the nearest go.work that uses module,
// else module.
func workspaceRoot(module string) string {
	work, ok := walkUp(module, "go.work")
	if !ok {
		return module
	}
	data, err := os.ReadFile(filepath.Join(work, "go.work"))
	if err != nil {
		return module
	}
	for _, d := range parseMod(data) {
		if d.Verb == "use" && absFrom(work, d.Path) == module {
			return work
		}
	}
	return module
}

// locateGit fills in what git says. A repository that cannot be used is a
// warning: pawl then works without.
func (p *Place) locateGit(ctx context.Context) error {
	g := newGit(p.Module)
	out, err := g.line(ctx, "rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir")
	if err := ctx.Err(); err != nil {
		return err
	}
	dirs := strings.Split(out, "\n")
	if err != nil || len(dirs) != 3 {
		p.noGit(err)
		return nil
	}
	p.NoGit = noRepository
	top, err := filepath.EvalSymlinks(filepath.FromSlash(dirs[0]))
	if err != nil || !within(top, p.Module) {
		return nil
	}
	if top != p.Module && !p.counts(ctx, g) {
		p.NoGit = "is in a git repository that tracks none of its files"
		return nil
	}
	p.Git, p.Root, p.NoGit = true, top, ""
	p.GitDir = filepath.FromSlash(dirs[1])
	p.CommonDir = absFrom(p.Module, dirs[2])
	p.GitWritable = canWrite(filepath.Join(p.CommonDir, "objects")) && canWrite(filepath.Join(p.CommonDir, "refs"))
	return p.status(ctx, newGit(top))
}

// counts reports whether the repository is about the module at all: it tracks
// something in it, and does not ignore it.
func (p *Place) counts(ctx context.Context, g git) bool {
	out, err := g.list(ctx, "ls-files", "-z", "--", ".")
	return err == nil && len(out) > 0
}

const noRepository = "is not in a git repository"

// noGit notes why there is no git, unless there simply is none.
func (p *Place) noGit(err error) {
	_, hasDot := walkUpAny(p.Module, ".git")
	if err == nil {
		err = errors.New("its path has a line break")
	}
	switch {
	case !hasDot:
		p.NoGit = noRepository
	case errors.Is(err, exec.ErrNotFound):
		p.NoGit = "is in a git repository, and there is no git command: install git"
		p.Warnings = append(p.Warnings, model.Warning{
			Seen:  "there is a git repository but no git command",
			Cause: "git is not in PATH",
			Try:   "install git to get a branch of commits; until then kept changes become patches",
		})
	default:
		p.NoGit = "is in a git repository that cannot be read (" + message(err) + "): see what git status says"
		p.Warnings = append(p.Warnings, model.Warning{
			Seen:  "the git repository cannot be read: " + message(err),
			Cause: "git refuses it",
			Try:   "see what git status says; until then kept changes become patches",
		})
	}
}

// walkUpAny is walkUp for a file or directory.
func walkUpAny(dir, name string) (string, bool) {
	for {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// status reads what HEAD is and which files differ from it.
func (p *Place) status(ctx context.Context, g git) error {
	out, err := g.list(ctx, "status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none")
	if err != nil {
		return fmt.Errorf("reading which files have uncommitted edits: %w", err)
	}
	for _, rec := range out {
		if oid, ok := strings.CutPrefix(rec, "# branch.oid "); ok && oid != "(initial)" {
			p.Head = oid
		}
		if name, ok := strings.CutPrefix(rec, "# branch.head "); ok && name != "(detached)" {
			p.Branch = name
		}
		// "1 XY sub mH mI mW hH hI path", "u XY sub m1 m2 m3 mW h1 h2 h3 path",
		// "? path"
		fields := 0
		switch {
		case strings.HasPrefix(rec, "1 "):
			fields = 8
		case strings.HasPrefix(rec, "u "):
			fields = 10
		case strings.HasPrefix(rec, "? "):
			fields = 1
		default:
			continue
		}
		parts := strings.SplitN(rec, " ", fields+1)
		if len(parts) == fields+1 {
			p.DirtyFiles[strings.TrimSuffix(parts[fields], "/")] = true
		}
	}
	p.Dirty = len(p.DirtyFiles) > 0
	return nil
}

// Within returns the name of a directory of the module relative to it; a dot where that cannot be told.
func (p *Place) Within(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if rel, err := filepath.Rel(p.Module, dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return "."
}

// within reports whether path is root or below it. Both are clean.
func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}

// absFrom returns path, taken relative to dir, clean and absolute. Symlinks
// are left alone: the go command too goes by the text.
func absFrom(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// Subjects returns the subjects of the newest commits that are no merges; none where there is no
// git.
func (p *Place) Subjects(ctx context.Context) []string {
	if !p.Git || p.Head == "" {
		return nil
	}
	text, err := newGit(p.Root).line(ctx, "log", "--no-merges", "-n", "200", "--format=%s", p.Head)
	if err != nil {
		return nil // the style of the subjects is a guess anyhow
	}
	return strings.Split(text, "\n")
}
