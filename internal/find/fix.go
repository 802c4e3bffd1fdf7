package find

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
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

// Fix makes the fixes of the classes given, in memory: those that overlap with
// an earlier one are left for the next time, and those whose packages do not
// type-check with them are dropped.
func Fix(ctx context.Context, o Options, f *model.Findings, classes string) (*Fixed, error) {
	var todo []model.Finding
	for _, x := range f.Findings {
		if x.Fix != nil && strings.Contains(classes, x.Class) {
			todo = append(todo, x)
		}
	}
	fixed := &Fixed{}
	for len(todo) > 0 {
		try, left, err := combine(f.Root, todo)
		if err != nil {
			return nil, err
		}
		broken, err := checks(ctx, o, try)
		if err != nil {
			return nil, err
		}
		if len(broken) == 0 {
			try.Left = append(fixed.Left, left...)
			return try, nil
		}
		todo = slices.DeleteFunc(todo, func(x model.Finding) bool {
			why, bad := broken[x.Pkg]
			if bad {
				fixed.Left = append(fixed.Left, model.Left{Rule: x.Rule, At: x.At, Why: "the package does not type-check with the fixes in it: " + why})
			}
			return bad
		})
	}
	return fixed, nil
}

// combine makes all edits that do not overlap.
func combine(root string, todo []model.Finding) (*Fixed, []model.Left, error) {
	taken := map[string][]model.Edit{}
	fixed := &Fixed{}
	var left []model.Left
	for _, x := range todo {
		if clash(taken, x.Fix.Edits) {
			left = append(left, model.Left{Rule: x.Rule, At: x.At, Why: "it overlaps with another fix; run pawl find -fix once more"})
			continue
		}
		for _, e := range x.Fix.Edits {
			if !slices.Contains(taken[e.File], e) {
				taken[e.File] = append(taken[e.File], e)
			}
		}
		fixed.Applied = append(fixed.Applied, x)
	}
	for name, edits := range taken {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(root, filepath.FromSlash(name))
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, fmt.Errorf("reading what is to be fixed: %w", err)
		}
		text, err := tree.Splice(old, edits)
		if err != nil {
			return nil, nil, fmt.Errorf("%s changed while it was looked at (%w); run pawl find again", name, err)
		}
		if formatted, err := format.Source(text); err == nil {
			text = tidyImports(old, formatted)
		}
		fixed.Files = append(fixed.Files, FixedFile{Name: name, Path: path, Old: old, New: text})
	}
	slices.SortFunc(fixed.Files, func(a, b FixedFile) int { return strings.Compare(a.Name, b.Name) })
	return fixed, left, nil
}

// clash reports whether an edit overlaps with one that was taken. An edit that
// is there already, like the same import, does not; two insertions at one
// place do, since their order would be a guess.
func clash(taken map[string][]model.Edit, edits []model.Edit) bool {
	for _, e := range edits {
		for _, t := range taken[e.File] {
			if e != t && e.Start <= t.End && t.Start <= e.End && (e.Start < t.End && t.Start < e.End || e.Start == t.Start) {
				return true
			}
		}
	}
	return false
}

// checks type-checks the packages of the fixed files, tests included, as they
// would be, and returns the first error of each that is broken. A fix leaves
// what a package exports as it is, so that each is checked against the others
// as they are.
func checks(ctx context.Context, o Options, f *Fixed) (map[string]string, error) {
	overlay := map[string][]byte{}
	for _, file := range f.Files {
		overlay[file.Path] = file.New
	}
	var patterns []string
	for _, x := range f.Applied {
		if !slices.Contains(patterns, x.Pkg) {
			patterns = append(patterns, x.Pkg)
		}
	}
	patterns = append(patterns, added(f.Files)...)
	cfg := &packages.Config{Context: ctx, Dir: o.Dir, Env: o.Env, BuildFlags: o.Flags, Tests: true, Mode: packages.LoadSyntax | packages.NeedModule}
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, fmt.Errorf("checking the fixes: %w", err)
	}
	std := importer{}
	for _, p := range pkgs {
		if standard(p) && p.ID == p.PkgPath {
			std[p.PkgPath] = p
		}
	}
	broken := map[string]string{}
	for _, p := range pkgs {
		if len(problems(p)) > 0 {
			continue // its tests did not type-check before; the package itself did
		}
		if err := check(p, std, overlay); err != nil {
			path, _, _ := strings.Cut(p.ID, " ")
			broken[strings.TrimSuffix(strings.TrimSuffix(path, ".test"), "_test")] = err.Error()
		}
	}
	return broken, nil
}

// added returns what the fixed files import that they did not import before,
// which other files of their packages need not import either.
func added(files []FixedFile) []string {
	var paths []string
	for _, file := range files {
		before := imports(file.Old)
		for _, path := range imports(file.New) {
			if !slices.Contains(before, path) && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// standard reports whether a package is of the standard library, which a fix
// may import from anywhere but there: it imports nothing else, so that no
// cycle comes of it.
func standard(p *packages.Package) bool { return p.Module == nil || p.Module.Path == "std" }

// check type-checks one package with some of its files replaced. What it does
// not import yet comes from the standard library.
func check(p *packages.Package, std importer, overlay map[string][]byte) error {
	var files []*ast.File
	changed := false
	for i, name := range p.CompiledGoFiles {
		text, ok := overlay[name]
		if !ok {
			files = append(files, p.Syntax[i])
			continue
		}
		changed = true
		file, err := parser.ParseFile(p.Fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	if !changed {
		return nil
	}
	known := importer(p.Imports)
	if !standard(p) {
		known = maps.Clone(std)
		maps.Copy(known, p.Imports)
	}
	conf := types.Config{Importer: known, Sizes: p.TypesSizes}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	_, err := conf.Check(p.PkgPath, p.Fset, files, nil)
	return err
}

// importer answers imports from packages that were loaded.
type importer map[string]*packages.Package

func (m importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := m[path]; p != nil && p.Types != nil {
		return p.Types, nil
	}
	return nil, fmt.Errorf("package %s was not loaded", path)
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

func (f FixedFile) write() error {
	now, err := os.ReadFile(f.Path)
	if err != nil {
		return fmt.Errorf("fixing: %w", err)
	}
	if string(now) != string(f.Old) {
		return fmt.Errorf("fixing: %s changed meanwhile; run pawl find again", f.Name)
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return fmt.Errorf("fixing: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(f.Path), ".pawl-*")
	if err != nil {
		return fmt.Errorf("fixing: %w", err)
	}
	_, err = tmp.Write(f.New)
	err = errors.Join(err, tmp.Chmod(info.Mode()), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), f.Path)
	}
	if err != nil {
		os.Remove(tmp.Name())
		return fmt.Errorf("fixing %s: %w", f.Name, err)
	}
	return nil
}
