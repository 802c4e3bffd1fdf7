package difftest

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source/edit"
	"github.com/pawl-dev/pawl/internal/source/inject"
	"github.com/pawl-dev/pawl/internal/words"
)

// The patterns leave out _test.go: no other file's name ends in st.go.
//
//go:embed pawldrive/*[^t].go pawldrive/*[^s]t.go pawldrive/*.txt arm.txt
var library embed.FS

// libraryFiles returns the files of package pawldrive as they go into the
// standard library.
func libraryFiles() (map[string][]byte, error) {
	entries, err := library.ReadDir("pawldrive")
	if err != nil {
		return nil, err
	}
	out := make(map[string][]byte)
	for _, e := range entries {
		name := e.Name()
		if name == "race.go" {
			continue
		}
		data, err := library.ReadFile("pawldrive/" + name)
		if err != nil {
			return nil, err
		}
		if name == "race_std.txt" {
			name = "race.go"
		}
		if strings.HasSuffix(name, ".go") {
			out[name] = data
		}
	}
	if out["arm.go"], err = library.ReadFile("arm.txt"); err != nil {
		return nil, err
	}
	return out, nil
}

// stubText is what type-checking the overlay needs of package pawldrive.
const stubText = `package pawldrive

func On() bool
func Base() bool
func Arm(int) func()
func Took(id, branch int)
func Reached(id, n int)
func Called(n int, on, with, step interface{}) func(made interface{})
func Enter(id int, args []interface{}, cand, base func([]interface{}) []interface{})
func As[T any](interface{}) (t T) { return }
`

// stub returns package pawldrive as the type-checker needs it.
func stub(fset *token.FileSet) (*types.Package, error) {
	f, err := parser.ParseFile(fset, "pawldrive.go", stubText, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	conf := types.Config{IgnoreFuncBodies: true}
	return conf.Check(importPath, fset, []*ast.File{f}, nil)
}

// An instrumented is one changed package with its hooks and copies.
type instrumented struct {
	edited map[string][]byte // changed texts of the candidate's files, by path
	added  []*generated
	driven bool // functions are registered
}

// instrument writes hooks and copies of a package, and leaves out the subjects
// that do not compile with them.
func (l *loader) instrument(c *comparison, subjects []*subject) (*instrumented, error) {
	lib, err := stub(l.fset)
	if err != nil {
		return nil, err
	}
	l.Add(lib)
	for range 2 + 2*len(subjects) {
		c.settle(subjects)
		in := c.write(subjects)
		errs := l.compile(c, in)
		if len(errs) == 0 {
			return in, nil
		}
		if c.blame(subjects, in, errs) {
			continue
		}
		if len(c.noted) == 0 {
			return nil, fmt.Errorf("the copies do not compile: %w", errs[0])
		}
		clear(c.noted)
	}
	return nil, errors.New("the copies do not compile")
}

// settle skips the subjects that cannot be copied.
func (c *comparison) settle(subjects []*subject) {
	for _, s := range subjects {
		if !s.copied() {
			continue
		}
		if why := c.closure(s.base, make(map[*decl]bool)); why != "" {
			s.drop(why)
		}
	}
}

func (s *subject) drop(why string) {
	s.redirect = false
	s.skipped = cmp.Or(s.skipped, why)
}

// write makes the texts of the overlay.
func (c *comparison) write(subjects []*subject) *instrumented {
	in := &instrumented{edited: make(map[string][]byte)}
	base, cand := make(map[*decl]bool), make(map[*decl]bool)
	edits := maps.Clone(c.noted)
	var copied []*subject
	for _, s := range subjects {
		if !s.copied() {
			continue
		}
		copied = append(copied, s)
		c.closure(s.base, base)
		cand[s.cand] = true
		edits[s.cand.file] = slices.Concat(edits[s.cand.file], s.hooks())
	}
	if len(copied) == 0 {
		return in
	}
	for f, e := range edits {
		in.edited[f.Path] = edit.Must(f.Src, append(e, inject.Import(f.File, alias, importPath)))
	}
	watched := make(map[*decl][]model.Edit)
	for _, s := range copied {
		watched[s.base] = append(watched[s.base], s.watches()...)
		for n, of := range s.of[:min(len(s.of), mostWatched)] {
			if of.c == c {
				watched[of.base] = append(watched[of.base], s.watch(of, n))
			}
		}
	}
	in.added = append(in.added, c.base.copies(basePrefix, base, watched, func(d *decl) string {
		switch {
		case !base[d]:
			return ""
		case d.kind == funcDecl && d.fn.Recv != nil && base[c.base.decls[words.Receiver(d.fn)]]:
			return "" // a method of a copied type keeps its name, for interfaces' sake
		}
		return basePrefix + d.obj.Name()
	})...)
	in.added = append(in.added, c.cand.copies(candPrefix, cand, nil, func(d *decl) string {
		if !cand[d] {
			return ""
		}
		return candPrefix + d.obj.Name()
	})...)
	driven := slices.DeleteFunc(copied, func(s *subject) bool { return s.skipped != "" })
	if in.driven = len(driven) > 0; in.driven {
		in.added = append(in.added, adapters(c.cand.pkg, driven))
	}
	return in
}

// compile type-checks the package as the overlay has it.
func (l *loader) compile(c *comparison, in *instrumented) []error {
	var syntax []*ast.File
	var errs []error
	parse := func(name string, src []byte) {
		f, err := parser.ParseFile(l.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			errs = append(errs, err)
			return
		}
		syntax = append(syntax, f)
	}
	for _, f := range c.cand.files {
		src := f.Src
		if now := in.edited[f.Path]; now != nil {
			src = now
		}
		parse(f.Path, src)
	}
	for _, g := range in.added {
		parse(g.name, g.text.Bytes())
	}
	if len(errs) > 0 {
		return errs
	}
	_, errs = l.Check(c.unit.pkg, syntax, nil)
	return errs
}

// blame finds the declarations whose copies caused errors, and makes sure that
// they are not copied again. It reports whether it found one.
func (c *comparison) blame(subjects []*subject, in *instrumented, errs []error) bool {
	found := false
	for _, err := range errs {
		at, msg := place(err)
		for _, g := range in.added {
			if at.Filename == g.name {
				found = c.ban(subjects, g.owner(at.Offset), msg) || found
			}
		}
		for _, s := range subjects { // hooks
			if at.Filename == s.cand.file.Path && s.copied() && s.cand.encloses(at.Line) {
				s.drop("a hook in it does not compile: " + msg)
				found = true
			}
		}
	}
	return found
}

// ban excludes a declaration of either side.
func (c *comparison) ban(subjects []*subject, d *decl, msg string) bool {
	if d == nil {
		return false
	}
	for _, s := range subjects {
		if s.cand == d && s.copied() {
			s.drop("a copy of it does not compile: " + msg)
			return true
		}
	}
	if c.banned[d] != "" || c.base.decls[d.key] != d {
		return false
	}
	c.banned[d] = fmt.Sprintf("the base's %s does not compile beside the candidate: %s", d.key, msg)
	return true
}

// encloses reports whether a line belongs to a function. Hooks add no lines.
func (d *decl) encloses(line int) bool {
	return d.file.Line(d.fn.Pos()) <= line && line <= d.file.Line(d.fn.End())
}

// place returns where an error is, and what it says.
func place(err error) (token.Position, string) {
	var te types.Error
	if errors.As(err, &te) {
		return te.Fset.PositionFor(te.Pos, false), te.Msg
	}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return list[0].Pos, list[0].Msg
	}
	return token.Position{}, err.Error()
}

// A layer is the files of an overlay.
type layer struct{ gocmd.Layer }

func (l *layer) putPackage(p gocmd.Package, in *instrumented, registration string) error {
	for _, path := range slices.Sorted(maps.Keys(in.edited)) {
		if err := l.Put(path, in.edited[path]); err != nil {
			return err
		}
	}
	for _, g := range in.added {
		if err := l.Put(filepath.Join(p.Dir, g.name), g.text.Bytes()); err != nil {
			return err
		}
	}
	if !in.driven {
		return nil
	}
	return l.Put(filepath.Join(p.Dir, "zz_pawl_register.go"), []byte(registration))
}

// putRemoved writes the packages that the candidate does not have any more: the
// base's copies may import them.
func (l *layer) putRemoved(root string, change Change) error {
	for _, file := range slices.Sorted(maps.Keys(change.Before)) {
		at := filepath.Join(root, filepath.FromSlash(file))
		if change.Before[file] == nil || change.After[file] != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(at), "*.go")); len(left) > 0 {
			continue // the package is there
		}
		if err := l.Put(at, change.Before[file]); err != nil {
			return err
		}
	}
	return nil
}

// putLibrary writes package pawldrive into the standard library.
func (l *layer) putLibrary(goroot string) error {
	files, err := libraryFiles()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := l.Put(filepath.Join(goroot, "src", importPath, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}

// putBenchmark adds the benchmark that drives to a package's tests. Its file
// sorts last, and the external tests come last in a test binary.
func (l *layer) putBenchmark(p gocmd.Package) error {
	name := p.Name
	if len(p.XTestGoFiles) > 0 {
		name += "_test"
	}
	return l.Put(filepath.Join(p.Dir, "zz_pawl_test.go"), fmt.Appendf(nil,
		"%spackage %s\n\nimport (\n\t\"testing\"\n\n\t%s %q\n)\n\n"+
			"func %s(b *testing.B) {\n\tif b.N == 1 { // the first of its runs\n\t\t%s.DriveNow()\n\t\tprintln(%q)\n\t}\n}\n",
		generatedBy, name, alias, importPath, benchmark, alias, endMark))
}

const benchmark = "BenchmarkZZZPawlDrive"
