package tree

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// An outside makes, beside the copy of the root, what relative paths that
// leave the root lead to.
type outside struct {
	in      *below // fs is in it
	fs      string // below here, each file has the path that it really has
	root    string
	copied  string // where the copy of root is
	maxFile int64
	links   []string // what was linked, real paths
	// absolute are directories that go.mod and go.work name by absolute paths.
	absolute []string
	warn     []model.Warning
}

// clearBeside removes from fs all that is not on the way to dir: the links of
// an earlier Take.
func clearBeside(in *below, fs, dir string) error {
	rel, err := filepath.Rel(fs, dir)
	if err != nil {
		return err
	}
	at := fs
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		entries, err := in.readDir(at)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Name() == part && e.IsDir() {
				continue
			}
			if err := in.removeAll(filepath.Join(at, e.Name())); err != nil {
				return err
			}
		}
		at = filepath.Join(at, part)
	}
	return nil
}

// join makes the workspace file, and links for everything that a use line, a
// replace line or a symlink reaches by "..".
func (o *outside) join(s *Snapshot, work workFile) error {
	mods := []string{s.Place.Module}
	reach := map[string]bool{}
	if work.path != "" {
		s.GOWORK = landing(o.fs, work.path)
		dir := filepath.Dir(work.path)
		for _, d := range work.dirs {
			if filepath.IsAbs(filepath.FromSlash(d.Path)) {
				o.absolute = append(o.absolute, filepath.FromSlash(d.Path))
				continue
			}
			real := absFrom(dir, d.Path)
			reach[real] = true
			if d.Verb == "use" {
				mods = append(mods, real)
			}
		}
	}
	for _, mod := range mods {
		o.replaces(mod, reach)
	}
	for _, rel := range slices.Sorted(maps.Keys(s.symlinks)) {
		o.symlink(rel, reach)
	}
	for _, real := range byDepth(reach) {
		if err := o.reach(real); err != nil {
			return err
		}
	}
	if work.path == "" {
		return nil
	}
	return o.workspace(work)
}

// byDepth returns the keys, outer directories before inner ones: a link to the
// outer one covers the inner.
func byDepth(set map[string]bool) []string {
	paths := slices.Collect(maps.Keys(set))
	slices.SortFunc(paths, func(a, b string) int {
		sep := string(filepath.Separator)
		return cmp.Or(strings.Count(a, sep)-strings.Count(b, sep), strings.Compare(a, b))
	})
	return paths
}

// replaces adds the directories that the replace lines of the module reach.
func (o *outside) replaces(mod string, reach map[string]bool) {
	file := filepath.Join(mod, "go.mod")
	if within(o.root, file) {
		file = landing(o.fs, file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return // the go command says it better
	}
	for _, d := range parseMod(data) {
		if d.Verb != "replace" {
			continue
		}
		real := absFrom(mod, d.Path)
		if !filepath.IsAbs(filepath.FromSlash(d.Path)) {
			reach[real] = true
			continue
		}
		o.absolute = append(o.absolute, real)
		if within(o.root, real) {
			o.warn = append(o.warn, model.Warning{
				Seen:  "replace => " + d.Path + " is an absolute path into the tree",
				Cause: "the copy that pawl works on has another path, so builds read your own files there",
				Try:   "write it as a relative path",
			})
		}
	}
}

// symlink looks at a symlink of the tree that may leave it.
func (o *outside) symlink(rel string, reach map[string]bool) {
	at := filepath.Join(o.root, filepath.FromSlash(rel))
	text, err := o.in.Readlink(filepath.Join(o.copied, filepath.FromSlash(rel)))
	if err != nil {
		return
	}
	real := absFrom(filepath.Dir(at), text)
	abs := filepath.IsAbs(filepath.FromSlash(text))
	if within(o.root, real) && !abs {
		return
	}
	if _, err := os.Stat(real); err != nil {
		return // it dangles in the user's tree too
	}
	o.warn = append(o.warn, model.Warning{
		Seen:  rel + " is a symlink that leaves the copy of the tree, to " + text,
		Cause: "only what is in " + o.root + " is copied",
		Try:   "see that no test writes there: it would write into your own files",
	})
	if !abs && !within(real, o.root) {
		reach[real] = true
	}
}

// reach makes the absolute path real, which a relative path leads to, appear
// below fs.
func (o *outside) reach(real string) error {
	info, err := os.Stat(real)
	switch {
	case within(o.root, real):
		return nil // copied
	case err != nil:
		return nil // missing in the user's tree too
	case within(real, o.root) && info.IsDir():
		return o.mirror(real)
	}
	if info.IsDir() {
		if real, err = filepath.Abs(real); err != nil {
			return err
		}
	}
	return o.link(real)
}

// link makes a symlink below fs, unless a link to an outer directory covers it.
func (o *outside) link(real string) error {
	at := landing(o.fs, real)
	if _, err := os.Stat(at); err == nil {
		return nil
	}
	if err := o.in.MkdirAll(filepath.Dir(at)); err != nil {
		return err
	}
	if err := o.in.Symlink(real, at); err != nil {
		o.warn = append(o.warn, model.Warning{
			Seen:  "no link can be made to " + real + ": " + err.Error(),
			Cause: "the module uses this directory outside the tree, and symlinks are not possible here",
			Try:   "write absolute paths into go.mod or go.work",
		})
		return nil
	}
	o.links = append(o.links, real)
	return nil
}

// mirror makes the directory real appear below fs although the root is inside
// it: "replace => ..". What is in it is linked, level by level down to the
// root, and files are copied, since //go:embed takes no symlinks.
func (o *outside) mirror(real string) error {
	if _, err := os.Stat(filepath.Join(real, "go.mod")); err != nil {
		return nil // no module: nothing reads it
	}
	rel, err := filepath.Rel(real, o.root)
	if err != nil {
		return err
	}
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if err := o.mirrorLevel(real, part); err != nil {
			return err
		}
		real = filepath.Join(real, part)
	}
	return nil
}

// mirrorLevel makes one directory appear, but for the entry called inner.
func (o *outside) mirrorLevel(real, inner string) error {
	entries, err := os.ReadDir(real)
	if err != nil {
		return nil // it can be entered but not read
	}
	for _, e := range entries {
		if e.Name() == inner || e.Name() == ".git" || e.Name() == stateName || secretFile(e.Name()) {
			continue
		}
		path := filepath.Join(real, e.Name())
		info, err := e.Info()
		if err != nil {
			continue
		}
		if info.Mode().IsRegular() && info.Size() <= o.maxFile {
			err = o.copy(path, info)
		} else if info.IsDir() || info.Mode()&fs.ModeSymlink != 0 {
			err = o.link(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copy copies a file of the user's to where it lands below fs.
func (o *outside) copy(real string, info fs.FileInfo) error {
	at := landing(o.fs, real)
	if err := o.in.MkdirAll(filepath.Dir(at)); err != nil {
		return err
	}
	err := o.in.copyFile(at, real, info)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return nil // not readable for the user's build either
	}
	return err
}
