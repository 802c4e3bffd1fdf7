package tree

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/pawl-dev/pawl/internal/model"
)

// A workFile is a go.work in use, or nothing.
type workFile struct {
	path string // canonical; empty for none
	data []byte
	dirs []modDir
}

// goWork reads the go.work that the go command said it uses.
func (s *Snapshot) goWork(gowork string) workFile {
	s.GOWORK = "off"
	if gowork == "" || gowork == "off" {
		return workFile{}
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(gowork))
	if err != nil {
		dir = filepath.Dir(gowork)
	}
	w := workFile{path: filepath.Join(dir, filepath.Base(gowork))}
	w.data, err = os.ReadFile(w.path)
	if err != nil {
		s.Warnings = append(s.Warnings, model.Warning{
			Seen:  "the workspace file cannot be read: " + err.Error(),
			Cause: "go env GOWORK names it",
			Try:   "correct or unset GOWORK; until then the module is built without a workspace",
		})
		return workFile{}
	}
	w.dirs = parseMod(w.data)
	return w
}

// inside returns what of the workspace is in the root and must be copied even
// where git ignores it, relative to the root.
func (w workFile) inside(root string) []string {
	if w.path == "" {
		return nil
	}
	var rels []string
	dir := filepath.Dir(w.path)
	paths := []string{w.path, w.path + ".sum", filepath.Join(dir, "vendor")}
	for _, path := range paths {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) && rel != "." {
			rels = append(rels, filepath.ToSlash(rel))
		}
	}
	return rels
}

// workspace puts the go.work, its sums and its vendor folder where they land.
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
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	if err := writeFile(at, data, 0o600); err != nil || inRoot {
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

// rewrite returns the file with its absolute folders replaced as to says, and
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
