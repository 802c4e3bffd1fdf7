package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source"
)

// A Change is what Inspect looks at: the files that a change touches, and
// where the rest of the tree is. The tree may hold base or candidate: what is
// there under the names in Before and After is not read.
type Change struct {
	Dir        string   // the module's directory in the snapshot, absolute
	Root       string   // the snapshot's root, absolute; file names are relative to it
	Env        []string // environment of the go command; nil is the process's own
	BuildFlags []string // flags for go list, such as -tags

	// Contents of the changed files by name relative to Root, with slashes. A
	// file that is missing, or nil, does not exist on that side.
	Before, After map[string][]byte

	// Judges are the directories, relative to Root, of the packages whose
	// benchmarks judge the change: their tests and testdata hold what an answer
	// could have been copied from. Those of the changed packages are added.
	Judges []string

	// SetUp says that of some lines of a file of the base, the last included,
	// benchmarks run at least one in their set-up and none in their timed loop;
	// nil where that is not known.
	SetUp func(file string, from, to int) bool
	// Timed says that benchmarks run at least one of them in their timed loop;
	// nil where that is not known.
	Timed func(file string, from, to int) bool

	// Allow names the kinds of suspicions that the user agreed to.
	Allow []model.SuspicionKind
}

// files returns the names of all files that the change touches, sorted.
func (c Change) files() []string {
	all := maps.Clone(c.Before)
	if all == nil {
		all = make(map[string][]byte)
	}
	maps.Copy(all, c.After)
	return slices.Sorted(maps.Keys(all))
}

// sources returns the names of the files whose Go code can be looked at.
func (c Change) sources() []string {
	var out []string
	for _, f := range c.files() {
		if frozenName(f) == "" {
			out = append(out, f)
		}
	}
	return out
}

// A program is one side: the changed packages and what they import of the main
// module, type-checked.
type program struct {
	fset    *token.FileSet
	root    string
	module  string // path of the main module
	pkgs    []*packages.Package
	changed map[string]bool // import paths of the packages with changed files
	src     map[string][]byte
	broken  error // why a package does not type-check
	// brokenAt is where packages do not.
	brokenAt []model.Pos
	units    map[string]*unit
	decls    map[string]*unit                // of functions and variables, by objectName
	readers  map[*unit]bool                  // what reads files
	passed   map[*unit]map[types.Object]bool // see passedBy
	fields   map[*types.Var]string
}

// load type-checks one side of a change. near are further packages to look
// into, as import paths.
func load(ctx context.Context, c Change, contents map[string][]byte, near []string) (*program, error) {
	overlay, dirs := make(map[string][]byte), make(map[string]bool)
	for _, f := range c.sources() {
		at := filepath.Join(c.Root, filepath.FromSlash(f))
		if text := contents[f]; text != nil {
			dirs[path.Dir(f)] = true
			// With an overlay, what is imported is type-checked from source, which takes
			// four times as long.
			if there, err := os.ReadFile(at); err != nil || !bytes.Equal(there, text) {
				overlay[at] = text
			}
		} else if name := packageName(c.Before[f], c.After[f]); name != "" && gocmd.IsFile(at) {
			overlay[at] = []byte("package " + name + "\n") // a file that is not there on this side
		}
	}
	patterns, err := patternsOf(c, dirs)
	if err != nil {
		return nil, err
	}
	p := &program{fset: token.NewFileSet(), root: c.Root, changed: make(map[string]bool), src: make(map[string][]byte)}
	if len(patterns) == 0 {
		return p, nil
	}
	loaded, _, err := source.Load(&packages.Config{
		Mode: packages.LoadSyntax | packages.NeedModule | packages.NeedEmbedFiles, Context: ctx, Dir: c.Dir, Env: c.Env, BuildFlags: c.BuildFlags, Fset: p.fset, Overlay: overlay,
	}, append(patterns, near...)...)
	if err != nil {
		return nil, fmt.Errorf("loading the changed packages: %w", err)
	}
	for _, lp := range loaded {
		p.add(lp, overlay, dirs)
	}
	p.index()
	return p, nil
}

// patternsOf names the packages of directories as the go command takes them.
func patternsOf(c Change, dirs map[string]bool) ([]string, error) {
	var out []string
	for _, d := range slices.Sorted(maps.Keys(dirs)) {
		rel, err := filepath.Rel(c.Dir, filepath.Join(c.Root, filepath.FromSlash(d)))
		if err != nil {
			return nil, err
		}
		out = append(out, "./"+filepath.ToSlash(rel))
	}
	return out, nil
}

func (p *program) add(lp *packages.Package, overlay map[string][]byte, dirs map[string]bool) {
	if len(lp.Errors) > 0 && p.broken == nil {
		p.broken = fmt.Errorf("%s: %w", lp.PkgPath, errors.New(lp.Errors[0].Msg))
	}
	for _, e := range lp.Errors {
		if at, ok := p.place(e.Pos); ok {
			p.brokenAt = append(p.brokenAt, at)
		}
	}
	if lp.Module != nil && p.module == "" {
		p.module = lp.Module.Path
	}
	if lp.Types == nil || lp.TypesInfo == nil {
		return
	}
	p.pkgs = append(p.pkgs, lp)
	for i, f := range lp.Syntax {
		at := p.fset.PositionFor(f.FileStart, false).Filename
		if at == "" && i < len(lp.CompiledGoFiles) {
			at = lp.CompiledGoFiles[i]
		}
		if text, ok := overlay[at]; ok {
			p.src[at] = text
		} else if text, err := os.ReadFile(at); err == nil {
			p.src[at] = text
		}
		if dirs[path.Dir(p.rel(at))] {
			p.changed[lp.PkgPath] = true
		}
	}
}

// place reads a position as package packages writes it: file:line:column.
func (p *program) place(text string) (at model.Pos, ok bool) {
	text = text[:max(strings.LastIndexByte(text, ':'), 0)]
	colon := max(strings.LastIndexByte(text, ':'), 0)
	line, err := strconv.Atoi(strings.TrimPrefix(text[colon:], ":"))
	return model.Pos{File: p.rel(text[:colon]), Line: line}, err == nil
}

// closure returns the import paths of what packages of directories import, in
// their own module.
func closure(ctx context.Context, c Change, patterns []string) ([]string, error) {
	all, err := source.Closure(&packages.Config{Context: ctx, Dir: c.Dir, Env: c.Env, BuildFlags: c.BuildFlags}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("listing the changed packages: %w", err)
	}
	var out []string
	for _, p := range all {
		if len(p.Errors) == 0 {
			out = append(out, p.PkgPath)
		}
	}
	return out, nil
}

// imported returns the packages of a module that files import.
func imported(contents map[string][]byte, module string) []string {
	var out []string
	for name, text := range contents {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, s := range f.Imports {
			if imp := strings.Trim(s.Path.Value, "`\""); imp == module || strings.HasPrefix(imp, module+"/") {
				out = append(out, imp)
			}
		}
	}
	return out
}

func packageName(texts ...[]byte) string {
	for _, text := range texts {
		if f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly); text != nil && err == nil {
			return f.Name.Name
		}
	}
	return ""
}

func (p *program) rel(name string) string { return source.Rel(p.root, name) }

func (p *program) pos(at token.Pos) model.Pos {
	q := p.fset.PositionFor(at, false)
	return model.Pos{File: p.rel(q.Filename), Line: q.Line}
}

// text returns the source of a node with its blanks made even.
func (p *program) text(n ast.Node) string {
	from, to := p.fset.PositionFor(n.Pos(), false), p.fset.PositionFor(n.End(), false)
	src := p.src[from.Filename]
	if from.Offset < 0 || to.Offset > len(src) || from.Offset > to.Offset {
		return ""
	}
	return strings.Join(strings.Fields(string(src[from.Offset:to.Offset])), " ")
}

// mine reports whether an object is declared in the loaded part of the module.
func (p *program) mine(o types.Object) bool {
	return o != nil && o.Pkg() != nil && (o.Pkg().Path() == p.module || strings.HasPrefix(o.Pkg().Path(), p.module+"/"))
}
