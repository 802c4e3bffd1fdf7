package tree

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl/internal/model"
)

// A workFile is a go.work in use, or nothing.
type workFile struct {
	path string // canonical; empty for none
	data []byte
	dirs []modDir
}

// A workPath says where the go.work in use is.
type workPath struct {
	path  string // canonical, in the user's tree; empty for none
	fixed bool   // by GOWORK, where the go command would find another one or none
}

// workAt returns the go.work that the go command says it uses.
func workAt(p *Place, gowork string) workPath {
	if gowork == "off" {
		return workPath{fixed: true}
	}
	found := ""
	if dir, ok := walkUp(p.Module, "go.work"); ok {
		found = filepath.Join(dir, "go.work")
	}
	if gowork == "" {
		return workPath{}
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(gowork))
	if err != nil {
		dir = filepath.Dir(gowork)
	}
	w := workPath{path: filepath.Join(dir, filepath.Base(gowork))}
	w.fixed = w.path != found
	return w
}

// in returns what the go command would use if the tree had the files for
// which has holds, by path relative to the root, and around it were what is.
func (w workPath) in(p *Place, has func(rel string) bool) workPath {
	rel, err := filepath.Rel(p.Root, w.path)
	local := err == nil && filepath.IsLocal(rel)
	if w.fixed {
		if local && !has(filepath.ToSlash(rel)) {
			return workPath{fixed: true}
		}
		return w
	}
	for dir := p.Rel(); ; dir = path.Dir(dir) {
		if has(path.Join(dir, "go.work")) {
			return workPath{path: filepath.Join(p.Root, filepath.FromSlash(dir), "go.work")}
		}
		if dir == "." {
			break
		}
	}
	if w.path == "" || !local {
		return w
	}
	if dir, ok := walkUp(filepath.Dir(p.Root), "go.work"); ok {
		return workPath{path: filepath.Join(dir, "go.work")}
	}
	return workPath{}
}

// inside returns what of the workspace is in the root and must be copied even
// where git ignores it, relative to the root.
func (w workPath) inside(root string) []string {
	if w.path == "" {
		return nil
	}
	var rels []string
	dir := filepath.Dir(w.path)
	paths := []string{w.path, w.path + ".sum", filepath.Join(dir, "vendor")}
	for _, at := range paths {
		if rel, err := filepath.Rel(root, at); err == nil && filepath.IsLocal(rel) && rel != "." {
			rels = append(rels, filepath.ToSlash(rel))
		}
	}
	return rels
}

// goWork reads the go.work in use: from the copy, if it is in the tree.
func (s *Snapshot) goWork() workFile {
	s.GOWORK = "off"
	if s.work.path == "" {
		return workFile{}
	}
	w := workFile{path: s.work.path}
	at := w.path
	if within(s.Place.Root, at) {
		at = landing(s.fs(), at)
	}
	var err error
	if w.data, err = os.ReadFile(at); err != nil && s.Commit == "" {
		w.data, err = os.ReadFile(w.path) // it may be a symlink out of the tree
	}
	if err != nil {
		s.warn(model.Warning{
			Seen:  "the workspace file cannot be read: " + err.Error(),
			Cause: "go env GOWORK names it",
			Try:   "correct or unset GOWORK; until then the module is built without a workspace",
		})
		return workFile{}
	}
	w.dirs = parseMod(w.data)
	return w
}

// workspace puts the go.work, its sums and its vendor directory where they land.
// Absolute paths into the root become paths into the copy. In the root, the
// files themselves are there already.
func (o *outside) workspace(w workFile) error {
	at := landing(o.fs, w.path)
	data, moved := w.rewrite(func(path string) (string, bool) {
		if !within(o.root, path) {
			return "", false
		}
		return landing(o.fs, path), true
	})
	inRoot := within(o.root, w.path)
	if inRoot && !moved {
		return nil
	}
	if err := o.in.MkdirAll(filepath.Dir(at)); err != nil {
		return err
	}
	if err := o.in.writeFile(at, data, 0o600); err != nil || inRoot {
		return err
	}
	if info, err := os.Stat(w.path + ".sum"); err == nil {
		if err := o.copy(w.path+".sum", info); err != nil {
			return err
		}
	}
	vendor := filepath.Join(filepath.Dir(w.path), "vendor")
	if info, err := os.Stat(vendor); err == nil && info.IsDir() {
		return o.link(vendor)
	}
	return nil
}

// rewrite returns the file with its absolute directories replaced as to says, and
// whether there were any.
func (w workFile) rewrite(to func(path string) (string, bool)) ([]byte, bool) {
	var out []byte
	done, moved := 0, false
	for _, d := range w.dirs {
		path := filepath.FromSlash(d.Path)
		if !filepath.IsAbs(path) {
			continue
		}
		repl, ok := to(filepath.Clean(path))
		if !ok {
			continue
		}
		out = append(out, w.data[done:d.Start]...)
		out = strconv.AppendQuote(out, filepath.ToSlash(repl))
		done, moved = d.End, true
	}
	return append(out, w.data[done:]...), moved
}

// siblingsIn returns the directories, relative to the root, of the modules that
// w uses, as far as they are in the root.
func (s *Snapshot) siblingsIn(w workFile) []string {
	var dirs []string
	for _, d := range w.dirs {
		rel, err := filepath.Rel(s.Place.Root, absFrom(filepath.Dir(w.path), d.Path))
		if err == nil && d.Verb == "use" && filepath.IsLocal(rel) {
			dirs = append(dirs, filepath.ToSlash(rel))
		}
	}
	return dirs
}

// InModules reports whether the file rel of the root belongs to the module, or
// to another one of its workspace: what may be changed.
func (s *Snapshot) InModules(rel string) bool {
	home := s.moduleOf(rel)
	return filepath.IsLocal(rel) && (home == s.Place.Rel() || slices.Contains(s.siblings, home))
}

// moduleOf returns the nearest directory at or above the file rel that has a
// go.mod; that of the module has one.
func (s *Snapshot) moduleOf(rel string) string {
	module := s.Place.Rel()
	for dir := path.Dir(rel); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if dir == module || s.isFile(dir+"/go.mod") {
			return dir
		}
	}
	return "."
}
