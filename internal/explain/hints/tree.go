package hints

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/source"
)

// A tree is the source that hot lines stand in: that of the module with types,
// other files, which are read when asked for, without.
type tree struct {
	root  string
	fset  *token.FileSet
	files map[string]*file // by the names that frames have
}

// A file is one parsed source file.
type file struct {
	*source.File // under the name that frames have
	code.Tree
	pkg   string         // import path; "" when there are no types
	types *types.Package // nil when there are none
	info  *types.Info    // the same
}

// load type-checks the packages among pkgs that are below root. What does not
// type-check is left as far as it came: a place without types gives no finding.
func load(ctx context.Context, g *gocmd.Go, root string, pkgs []string) (*tree, error) {
	t := &tree{root: root, fset: token.NewFileSet(), files: make(map[string]*file)}
	list, err := g.List(ctx, append([]string{"-export", "-deps", "--"}, pkgs...)...)
	if err != nil {
		return nil, err
	}
	imp := source.NewImporter(t.fset, g, list)
	for _, p := range list {
		if slices.Contains(pkgs, p.ImportPath) && p.Error == nil {
			t.check(p, imp)
		}
	}
	return t, nil
}

func (t *tree) check(p gocmd.Package, imp *source.Importer) {
	var files []*file
	var syntax []*ast.File
	for _, base := range slices.Concat(p.GoFiles, p.CgoFiles) {
		path := filepath.Join(p.Dir, base)
		rel, err := filepath.Rel(t.root, path)
		if err != nil || !filepath.IsLocal(rel) {
			return
		}
		f := t.parse(filepath.ToSlash(rel), path)
		if f == nil {
			return
		}
		files, syntax = append(files, f), append(syntax, f.Syntax)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
	pkg, _ := imp.Check(p, syntax, info) // errors leave holes in info, and holes give no findings
	for _, f := range files {
		f.pkg, f.types, f.info = p.ImportPath, pkg, info
		t.files[f.Name] = f
	}
}

func (t *tree) parse(name, path string) *file {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	f, err := source.Parse(t.fset, name, path, src)
	if err != nil {
		return nil
	}
	return &file{File: f, Tree: code.Tree{Root: f.Syntax}}
}

// file returns a file by the name that a frame has, or nil when it cannot be
// read: generated code without a file, assembly, a binary built with -trimpath.
func (t *tree) file(name string) *file {
	f, ok := t.files[name]
	if !ok && strings.HasSuffix(name, ".go") {
		path := filepath.FromSlash(name)
		if inTree(name) {
			path = filepath.Join(t.root, path)
		}
		f = t.parse(name, path)
		t.files[name] = f
	}
	return f
}

// funcAt returns the function declaration around a line, or nil.
func (f *file) funcAt(n int) *ast.FuncDecl {
	if f == nil {
		return nil
	}
	for _, d := range f.Syntax.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && f.Line(fd.Pos()) <= n && n <= f.Line(fd.End()) {
			return fd
		}
	}
	return nil
}

// inLoop reports whether a line is on a loop of its function. The line with
// the for counts: what it costs is the counting, for what runs once there is
// little.
func (t *tree) inLoop(at line) bool {
	f := t.file(at.file)
	fd := f.funcAt(at.n)
	if fd == nil {
		return false
	}
	return code.Any(fd, func(n ast.Stmt) bool {
		body := code.Body(n)
		return body != nil && f.Line(n.Pos()) <= at.n && at.n <= f.Line(body.Rbrace)
	})
}

// loopAround returns the innermost loop in whose repeated part an expression
// stands, or nil.
func (f *file) loopAround(e ast.Expr) ast.Stmt {
	for p := f.Parent(e); p != nil; p = f.Parent(p) {
		switch n := p.(type) {
		case *ast.ForStmt:
			if n.Init == nil || !code.Within(n.Init, e) {
				return n
			}
		case *ast.RangeStmt:
			if code.Within(n.Body, e) {
				return n
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return nil
		}
	}
	return nil
}

// statement returns the innermost statement around n that stands in a list,
// with its label: text and a semicolon can be put before it.
func (f *file) statement(n ast.Node) ast.Stmt {
	for ; n != nil; n = f.Parent(n) {
		if s, ok := n.(ast.Stmt); ok && code.StmtList(f.Parent(n)) != nil {
			return s
		}
	}
	return nil
}

// isGeneric reports whether a function has type parameters, its receiver's
// included.
func isGeneric(f *file, fd *ast.FuncDecl) bool {
	if f.info == nil {
		return fd.Type.TypeParams != nil
	}
	fn, ok := f.info.Defs[fd.Name].(*types.Func)
	if !ok {
		return true
	}
	sig := fn.Signature()
	return sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0
}
