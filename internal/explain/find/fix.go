package find

import (
	"context"
	"fmt"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/whole"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// A Fixed is what the fixes of some findings make of the files.
type Fixed struct {
	Files   []FixedFile
	Applied []model.Finding
	Left    []model.Left
}

// A FixedFile is one file before and after.
type FixedFile struct {
	Name     string // as in the findings
	Path     string // to open
	Old, New []byte
}

// Fix makes the fixes of the classes given, in memory. Those that overlap with
// an earlier one are left for the next time, and so are those with which their
// packages do not type-check, each with the reason and without the others.
func Fix(ctx context.Context, o Options, f *model.Findings, classes string) (*Fixed, error) {
	w := &workshop{root: f.Root, texts: map[string][]byte{}, places: map[spot]place{}, why: map[int]string{}}
	byPkg := map[string][]int{}
	for _, x := range f.Findings {
		if x.Fix != nil && strings.Contains(classes, x.Class) {
			byPkg[x.Pkg] = append(byPkg[x.Pkg], len(w.todo))
			w.todo = append(w.todo, x)
		}
	}
	if len(w.todo) == 0 {
		return &Fixed{}, nil
	}
	paths, err := w.imports()
	if err != nil {
		return nil, err
	}
	pkgs := slices.Sorted(maps.Keys(byPkg))
	if w.checker, err = newChecker(ctx, o, f.GoVersion, pkgs, paths); err != nil {
		return nil, err
	}
	var kept []int
	for _, pkg := range pkgs {
		some, err := w.choose(ctx, pkg, byPkg[pkg])
		if err != nil {
			return nil, err
		}
		kept = append(kept, some...)
	}
	slices.Sort(kept)
	return w.fixed(kept)
}

// A workshop is where fixes are put together.
type workshop struct {
	root    string
	todo    []model.Finding
	texts   map[string][]byte // of the files as they are, by name
	places  map[spot]place    // where insertions go
	checker *checker
	why     map[int]string // why a fix is left, by its index in todo
}

func (w *workshop) all() []int {
	out := make([]int, len(w.todo))
	for i := range out {
		out[i] = i
	}
	return out
}

// fixed returns what the fixes that are kept make of the files, and why the
// others are left.
func (w *workshop) fixed(kept []int) (*Fixed, error) {
	files, _, _, err := w.combine(kept)
	if err != nil {
		return nil, err
	}
	out := &Fixed{Files: files}
	for i, x := range w.todo {
		if slices.Contains(kept, i) {
			out.Applied = append(out.Applied, x)
		} else {
			out.Left = append(out.Left, model.Left{Rule: x.Rule, At: x.At, Why: w.why[i]})
		}
	}
	return out, nil
}

// imports returns what the fixes import that their files do not.
func (w *workshop) imports() ([]string, error) {
	var paths []string
	for rest := w.all(); len(rest) > 0; {
		files, taken, clashing, err := w.combine(rest)
		if err != nil {
			return nil, err
		}
		if len(taken) == 0 {
			break
		}
		for _, path := range added(files) {
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
		rest = clashing
	}
	return paths, nil
}

// combine makes all edits of some fixes that do not clash with those before
// them, and returns which fixes it took, in their order, and which it did not.
func (w *workshop) combine(some []int) (files []FixedFile, took, clashing []int, err error) {
	t := taken{w: w, edits: map[string][]model.Edit{}, names: map[name]model.Edit{}}
	for _, i := range some {
		fits, err := t.take(w.todo[i])
		switch {
		case err != nil:
			return nil, nil, nil, err
		case fits:
			took = append(took, i)
		default:
			clashing = append(clashing, i)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.edits)) {
		file, err := w.edited(name, t.edits[name])
		if err != nil {
			return nil, nil, nil, err
		}
		files = append(files, file)
	}
	return files, took, clashing, nil
}

func (w *workshop) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(w.root, filepath.FromSlash(name))
}

func (w *workshop) text(name string) ([]byte, error) {
	if old, ok := w.texts[name]; ok {
		return old, nil
	}
	old, err := os.ReadFile(w.path(name))
	if err != nil {
		return nil, fmt.Errorf("reading what is to be fixed: %w", err)
	}
	w.texts[name] = old
	return old, nil
}

func (w *workshop) edited(name string, edits []model.Edit) (FixedFile, error) {
	old, err := w.text(name)
	if err != nil {
		return FixedFile{}, err
	}
	text, err := edit.Apply(old, edits)
	if err != nil {
		return FixedFile{}, fmt.Errorf("%s changed while it was looked at (%w); run pawl find again", name, err)
	}
	if formatted, err := format.Source(text); err == nil {
		text = tidyImports(old, formatted)
	}
	return FixedFile{Name: name, Path: w.path(name), Old: old, New: text}, nil
}

// Write replaces the files, each by a rename, if they are still what was read.
func (f *Fixed) Write() error {
	for _, file := range f.Files {
		if err := file.write(); err != nil {
			return err
		}
	}
	return nil
}

// write leaves a link a link: what it leads to is replaced.
func (f FixedFile) write() error {
	path, err := filepath.EvalSymlinks(f.Path)
	if err != nil {
		return fmt.Errorf("fixing: %w", err)
	}
	now, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("fixing: %w", err)
	}
	if string(now) != string(f.Old) {
		return fmt.Errorf("fixing: %s changed meanwhile; try again", f.Name)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("fixing: %w", err)
	}
	if err := (whole.File{Path: path, Temp: halfFixed, Mode: info.Mode()}).Bytes(f.New); err != nil {
		return fmt.Errorf("fixing %s: %w", f.Name, err)
	}
	return nil
}

// halfFixed is what a file is called while it is written, and fixTakes is much
// more time than that takes.
const (
	halfFixed = ".pawl-fix-*.tmp"
	fixTakes  = time.Minute
)

// Sweep removes what a pawl that was killed while it wrote fixes has left below
// the module's root. What cannot be removed stays.
func Sweep(root string, now time.Time) {
	_ = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		}
		if is, _ := filepath.Match(halfFixed, d.Name()); !is || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil && now.Sub(info.ModTime()) > fixTakes {
			_ = os.Remove(at)
		}
		return nil
	})
}
