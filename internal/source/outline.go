package source

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// Of a package with more generated source than this, what generated functions do is
// not read. That takes most of its memory, and nothing is reported there.
const generatedAtMost = 2 << 20

// outlined returns the files of a package, of some size, in which only declarations
// are read: all generated ones, where they are large. The compiler has read all of
// them, so that what is left out has no errors.
func outlined(p *packages.Package, size int64) []string {
	if size <= generatedAtMost || p.ExportFile == "" {
		return nil
	}
	var names []string
	for _, name := range p.GoFiles { // what cgo makes is not among them
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err == nil && ast.IsGenerated(f) {
			names = append(names, name)
		}
	}
	if sourceSize(names) <= generatedAtMost {
		return nil
	}
	return names
}

// outline takes the bodies of functions out of a generated file, and the tables
// of constants that variables begin with. It adds the names that stand in these.
func outline(f *ast.File, names map[string]bool) {
	var gone []ast.Node
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !needsBody(d) {
				gone = append(gone, d.Body)
				d.Body = nil
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if lit, t := table(spec); lit != nil {
					v := spec.(*ast.ValueSpec)
					names[v.Names[0].Name] = true
					gone = append(gone, lit)
					v.Values[0] = &ast.StarExpr{Star: lit.Pos(), X: &ast.CallExpr{
						Fun: &ast.Ident{NamePos: lit.Pos(), Name: "new"}, Lparen: lit.Pos(), Args: []ast.Expr{t}, Rparen: lit.End() - 1,
					}}
				}
			}
		}
	}
	for _, n := range gone {
		for n := range ast.Preorder(n) {
			if id, ok := n.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
	}
	dropComments(f, gone)
}

// needsBody reports whether the language asks for a body: of init, main, and
// functions with type parameters of their own.
func needsBody(d *ast.FuncDecl) bool {
	name := d.Name.Name
	return d.Recv == nil && (name == "init" || name == "main") || d.Type.TypeParams != nil
}

// table returns the literal that a variable begins with, if evaluating it calls
// nothing, with its type.
func table(spec ast.Spec) (*ast.CompositeLit, ast.Expr) {
	v, ok := spec.(*ast.ValueSpec)
	if !ok || len(v.Names) != 1 || len(v.Values) != 1 {
		return nil, nil
	}
	lit, ok := v.Values[0].(*ast.CompositeLit)
	if !ok || acts(lit) {
		return nil, nil
	}
	array, ok := lit.Type.(*ast.ArrayType)
	if !ok {
		return lit, lit.Type
	}
	if _, open := array.Len.(*ast.Ellipsis); !open {
		return lit, lit.Type
	}
	for _, x := range lit.Elts {
		if _, keyed := x.(*ast.KeyValueExpr); keyed {
			return nil, nil // its length is not that of the list
		}
	}
	size := &ast.BasicLit{ValuePos: array.Len.Pos(), Kind: token.INT, Value: strconv.Itoa(len(lit.Elts))}
	return lit, &ast.ArrayType{Lbrack: array.Lbrack, Len: size, Elt: array.Elt}
}

func acts(lit *ast.CompositeLit) bool {
	for n := range ast.Preorder(lit) {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			return true
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				return true
			}
		}
	}
	return false
}

// dropComments takes out the comments within nodes, which are in source order.
func dropComments(f *ast.File, gone []ast.Node) {
	kept := f.Comments[:0:0]
	for _, c := range f.Comments {
		for len(gone) > 0 && gone[0].End() <= c.Pos() {
			gone = gone[1:]
		}
		if len(gone) == 0 || c.Pos() < gone[0].Pos() {
			kept = append(kept, c)
		}
	}
	f.Comments = kept
}

// spare reports whether a type error is only that an import is not used in what
// was read of a file.
func spare(err error, files []*ast.File) bool {
	var of types.Error
	if !errors.As(err, &of) || !of.Soft {
		return false
	}
	for _, f := range files {
		for _, spec := range f.Imports {
			if spec.Pos() <= of.Pos && of.Pos < spec.End() {
				return true
			}
		}
	}
	return false
}
