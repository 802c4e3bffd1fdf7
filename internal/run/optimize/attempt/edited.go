package attempt

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"math"
	"path"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// Edited is what a change makes of the files of the tree.
type edited struct {
	m      *state.Module
	edits  []model.Edit
	After  map[string][]byte // contents of the files that it touches
	before map[string][]byte
	pkgs   []gocmd.Package // that it changes
	undo   func() error
}

// look lists the packages that a change touches, and returns what it does to their
// files.
func (e *edited) look(ctx context.Context, c model.Change) (diff string, err error) {
	if e.pkgs, err = e.m.PackagesOf(ctx, EditedFiles(c.Edits)); err != nil {
		return "", err
	}
	return e.diff(c)
}

func (e *edited) diff(c model.Change) (string, error) {
	diff, err := e.m.Snap.Diff(c.Edits)
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.Title, err)
	}
	return diff, nil
}

// apply writes a change into the tree, and remembers both contents.
func (e *edited) apply(c model.Change) (err error) {
	e.edits = c.Edits
	e.before, e.After = make(map[string][]byte), make(map[string][]byte)
	for _, file := range EditedFiles(c.Edits) {
		e.before[file] = e.m.Read(file)
	}
	if e.undo, err = e.m.Snap.Apply(c.Edits); err != nil {
		return fmt.Errorf("applying %q: %w", c.Title, err)
	}
	for file := range e.before {
		e.After[file] = e.m.Read(file)
	}
	return nil
}

// listAgain lists the changed packages as they are with the change: it may
// bring packages, files and imports, and take them away. When they cannot be
// listed, the check of types will say why.
func (e *edited) listAgain(ctx context.Context) {
	if pkgs, err := e.m.PackagesOf(ctx, slices.Collect(maps.Keys(e.before))); err == nil {
		e.pkgs = pkgs
	}
}

// Sums says what the files that a change touches held before and after it.
func (e *edited) Sums() []store.FileSum {
	var out []store.FileSum
	for _, file := range slices.Sorted(maps.Keys(e.before)) {
		out = append(out, store.FileSum{Path: file, Before: store.ContentSum(e.before[file]), After: store.ContentSum(e.After[file])})
	}
	return out
}

// EditedFiles lists the files that edits touch, once each.
func EditedFiles(edits []model.Edit) []string {
	var files []string
	for _, e := range edits {
		if !slices.Contains(files, e.File) {
			files = append(files, e.File)
		}
	}
	return files
}

// ImportPaths lists the import paths of packages.
func ImportPaths(pkgs []gocmd.Package) []string {
	names := make([]string, len(pkgs))
	for i, p := range pkgs {
		names[i] = p.ImportPath
	}
	return names
}

// importPathOf returns the import path of the package that a file of the tree
// belongs to.
func importPathOf(pkgs []gocmd.Package, root, file string) string {
	dir := filepath.Join(root, filepath.FromSlash(path.Dir(file)))
	for _, p := range pkgs {
		if p.Dir == dir {
			return p.ImportPath
		}
	}
	return ""
}

// altered reports whether a place of the version without the change is in a function that
// it touches, or in a file with another declaration that it touches. What it imports, or
// declares anew, alters nothing that is there.
func (e *edited) altered() func(model.Pos) bool {
	spans := make(map[string][]span)
	for _, x := range e.edits {
		src := e.before[x.File]
		_, s, ok := around(x, src)
		if !ok && e.adds(x, src) {
			continue
		}
		if !ok {
			s = span{0, math.MaxInt}
		}
		spans[x.File] = append(spans[x.File], s)
	}
	return func(p model.Pos) bool {
		return slices.ContainsFunc(spans[p.File], func(s span) bool { return s.from <= p.Line && p.Line <= s.to })
	}
}

// adds reports whether an edit of a file changes no declaration of it but its imports.
func (e *edited) adds(x model.Edit, src []byte) bool {
	all := decls(src)
	return len(all) > 0 && !slices.ContainsFunc(all, func(d decl) bool {
		g, ok := d.Decl.(*ast.GenDecl)
		return !(ok && g.Tok == token.IMPORT) && x.Start < int(d.End())-1 && int(d.Pos())-1 < x.End
	})
}
