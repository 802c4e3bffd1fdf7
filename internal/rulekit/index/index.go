// Package index lists, for one package, where each function, method and
// variable is used. A rule asks it for the calls that interest it; in a
// package that never mentions them, the answer costs nothing, which is what
// makes many rules affordable.
package index

import (
	"go/ast"
	"go/types"
	"iter"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Analyzer builds the index of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "pawlindex",
	Doc:        "index the uses of objects",
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	ResultType: reflect.TypeFor[*Index](),
	Run: func(pass *analysis.Pass) (any, error) {
		return New(pass.ResultOf[inspect.Analyzer].(*inspector.Inspector), pass.TypesInfo, pass.Pkg), nil
	},
}

// An Index answers where things are used.
type Index struct {
	Inspect *inspector.Inspector
	info    *types.Info
	pkg     *types.Package
	uses    map[types.Object][]inspector.Cursor
	decls   map[*types.Func]*ast.FuncDecl

	unread map[string]bool
	unsure bool
}

// New indexes a package: its syntax, which is that of in, with its types.
func New(in *inspector.Inspector, info *types.Info, pkg *types.Package) *Index {
	ix := &Index{Inspect: in, info: info, pkg: pkg, uses: map[types.Object][]inspector.Cursor{}, decls: map[*types.Func]*ast.FuncDecl{}}
	for cur := range in.Root().Preorder((*ast.Ident)(nil)) {
		if obj := info.Uses[cur.Node().(*ast.Ident)]; obj != nil {
			obj = origin(obj)
			ix.uses[obj] = append(ix.uses[obj], cur)
		}
	}
	for cur := range in.Root().Preorder((*ast.FuncDecl)(nil)) {
		fd := cur.Node().(*ast.FuncDecl)
		if f, ok := info.Defs[fd.Name].(*types.Func); ok {
			ix.decls[f] = fd
		}
	}
	return ix
}

// Decl returns the declaration of a function or method with a body, nil for one of
// another package.
func (ix *Index) Decl(f *types.Func) *ast.FuncDecl {
	if f == nil {
		return nil
	}
	if fd := ix.decls[f.Origin()]; fd != nil && fd.Body != nil {
		return fd
	}
	return nil
}

// Uses returns the identifiers that refer to obj, in source order, without the
// one that declares it. The fields and methods of an instance are those of the
// generic type.
func (ix *Index) Uses(obj types.Object) []inspector.Cursor {
	ix.doubt(obj)
	return ix.uses[origin(obj)]
}

// origin returns what an object of an instance is in the generic declaration.
func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		if obj != nil {
			return obj.Origin()
		}
	case *types.Var:
		if obj != nil {
			return obj.Origin()
		}
	}
	return obj
}

// Object returns what a name of a package stands for, or nil when the package
// under analysis does not import that package directly (methods of its types
// may be used all the same: see [Index.Method]).
func (ix *Index) Object(pkg, name string) types.Object {
	if ix.pkg.Path() == pkg {
		return ix.pkg.Scope().Lookup(name)
	}
	for _, p := range ix.pkg.Imports() {
		if p.Path() == pkg {
			return p.Scope().Lookup(name)
		}
	}
	return nil
}

// Imports reports whether the package imports one of the paths directly.
func (ix *Index) Imports(paths ...string) bool {
	for _, p := range ix.pkg.Imports() {
		for _, path := range paths {
			if p.Path() == path {
				return true
			}
		}
	}
	return false
}

// Calls returns the static calls of a package-level function, with the cursor
// at the call.
func (ix *Index) Calls(pkg, name string) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	return ix.CallsOf(ix.Object(pkg, name))
}

// CallsOf returns the static calls of a function or method.
//
//go:noinline
func (ix *Index) CallsOf(obj types.Object) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	return func(yield func(inspector.Cursor, *ast.CallExpr) bool) {
		if obj == nil {
			return
		}
		if obj = origin(obj); ix.mine(obj) {
			ix.doubt(obj)
		}
		for _, cur := range ix.uses[obj] {
			if c, call := callAt(cur); call != nil && !yield(c, call) {
				return
			}
		}
	}
}

// callAt returns the call whose function the identifier at cur is.
func callAt(cur inspector.Cursor) (inspector.Cursor, *ast.CallExpr) {
	kind := cur.ParentEdgeKind()
	if kind == edge.SelectorExpr_Sel {
		cur = cur.Parent()
		kind = cur.ParentEdgeKind()
	}
	for kind == edge.IndexExpr_X || kind == edge.IndexListExpr_X || kind == edge.ParenExpr_X {
		cur = cur.Parent()
		kind = cur.ParentEdgeKind()
	}
	if kind != edge.CallExpr_Fun {
		return cur, nil
	}
	cur = cur.Parent()
	return cur, cur.Node().(*ast.CallExpr)
}

// Method returns the static calls of a method, declared on a type of a
// package or on an interface of it: Method("net/http", "Client", "Do"). The
// package need not be imported.
//
//go:noinline
func (ix *Index) Method(pkg, typ, name string) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	return func(yield func(inspector.Cursor, *ast.CallExpr) bool) {
		for _, obj := range ix.methods(pkg, typ, name) {
			for c, call := range ix.CallsOf(obj) {
				if !yield(c, call) {
					return
				}
			}
		}
	}
}

// methods returns the method objects of that description that are used.
func (ix *Index) methods(pkg, typ, name string) []types.Object {
	if p := ix.find(pkg); p != nil {
		if tn, ok := p.Scope().Lookup(typ).(*types.TypeName); ok {
			obj, _, _ := types.LookupFieldOrMethod(tn.Type(), true, p, name)
			if f, ok := obj.(*types.Func); ok {
				return []types.Object{f.Origin()}
			}
		}
	}
	return nil
}

// Declares reports whether a package declares a name, or a method of that name
// on a type of it, as far as the package under analysis can see: directly, or
// through what its imports import.
func (ix *Index) Declares(pkg, typ, name string) bool {
	p := ix.find(pkg)
	if p == nil {
		return false
	}
	if typ == "" {
		return p.Scope().Lookup(name) != nil
	}
	return len(ix.methods(pkg, typ, name)) > 0
}

// find returns a package among the imports and theirs, two deep, which is
// where the types of everyday values come from.
func (ix *Index) find(path string) *types.Package {
	if ix.pkg.Path() == path {
		return ix.pkg
	}
	for _, p := range ix.pkg.Imports() {
		if p.Path() == path {
			return p
		}
	}
	for _, p := range ix.pkg.Imports() {
		for _, q := range p.Imports() {
			if q.Path() == path {
				return q
			}
		}
	}
	return nil
}
