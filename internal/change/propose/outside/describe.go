package outside

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// How much of a program goes into a question beside the function itself: what
// does not fit into a model's attention is not read.
const (
	mostTypes   = 12
	mostCallers = 6
	mostSource  = 8 << 10 // of one of them
)

// Describe returns the declared function around a place; ok is false where
// there is none, as in a test file.
func Describe(p *prove.Program, at model.Pos) (f Function, ok bool) {
	fn := p.FunctionAt(at)
	if fn == nil {
		return f, false
	}
	f.Symbol, f.Package = fn.Obj.FullName(), fn.File.Pkg.PkgPath
	f.Body = declaration(p, fn.File, fn.Decl.Doc, fn.Decl, fn.Obj.Name())
	syntax := fn.File.Syntax
	top := ast.Node(syntax.Name)
	for _, d := range syntax.Decls {
		if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.IMPORT {
			top = gen
		}
	}
	f.Header = quote(p, fn.File, syntax.Package, top.End(), "package "+syntax.Name.Name)
	f.Types = short(typesOf(p, fn), mostTypes)
	f.Callers = short(callersOf(p, fn), mostCallers)
	return f, true
}

// declaration quotes a node of a file, with its comment where it has one.
func declaration(p *prove.Program, f *prove.File, doc *ast.CommentGroup, n ast.Node, name string) Declaration {
	from := n.Pos()
	if doc != nil {
		from = doc.Pos()
	}
	return quote(p, f, from, n.End(), name)
}

func quote(p *prove.Program, f *prove.File, from, to token.Pos, name string) Declaration {
	return Declaration{Name: name, File: f.Name, Line: p.Pos(from).Line, Source: string(f.Src[p.Offset(from):p.Offset(to)])}
}

// short leaves out the declarations that are too long, and those above most.
func short(ds []Declaration, most int) []Declaration {
	ds = slices.DeleteFunc(ds, func(d Declaration) bool { return len(d.Source) > mostSource })
	return ds[:min(len(ds), most)]
}

// typesOf returns the declarations of the types of the module that a function
// names, or whose values it uses, in the order of their first use.
func typesOf(p *prove.Program, fn *prove.Function) []Declaration {
	specs := typeSpecs(p)
	var out []Declaration
	seen := make(map[types.Object]bool)
	for id := range code.All[*ast.Ident](fn.Decl) {
		obj := fn.Info().ObjectOf(id)
		if obj == nil {
			continue
		}
		if named := namedOf(obj.Type()); named != nil && !seen[named.Obj()] {
			seen[named.Obj()] = true
			if d, ok := specs[named.Origin().Obj().Pkg().Path()+"."+named.Obj().Name()]; ok {
				out = append(out, d)
			}
		}
	}
	return out
}

// namedOf returns the named type that a type is, points to, or holds elements
// of; nil for others and for those without a package.
func namedOf(t types.Type) *types.Named {
	for range 3 { // *[]T is as deep as it is worth to look
		switch u := types.Unalias(t).(type) {
		case *types.Named:
			if u.Obj().Pkg() == nil {
				return nil
			}
			return u
		case interface{ Elem() types.Type }:
			t = u.Elem()
		default:
			return nil
		}
	}
	return nil
}

// typeSpecs returns all types that the program declares outside of functions.
func typeSpecs(p *prove.Program) map[string]Declaration {
	return prove.Remember(p, specsKey{}, func() map[string]Declaration {
		out := make(map[string]Declaration)
		for _, f := range p.Files {
			for _, d := range f.Syntax.Decls {
				gen, ok := d.(*ast.GenDecl)
				if !ok || gen.Tok != token.TYPE {
					continue
				}
				for _, s := range gen.Specs {
					spec := s.(*ast.TypeSpec)
					node, doc := ast.Node(gen), gen.Doc
					if gen.Lparen.IsValid() { // one of several
						node, doc = spec, spec.Doc
					}
					out[f.Pkg.PkgPath+"."+spec.Name.Name] = declaration(p, f, doc, node, spec.Name.Name)
				}
			}
		}
		return out
	})
}

type specsKey struct{}

// callersOf returns the functions of the program that may call one.
func callersOf(p *prove.Program, fn *prove.Function) []Declaration {
	var out []Declaration
	for _, name := range slices.Sorted(maps.Keys(p.Funcs)) {
		if f := p.Funcs[name]; f != fn && slices.Contains(p.CallTargets(p.EdgesOf(f)), fn.Obj.FullName()) {
			out = append(out, declaration(p, f.File, f.Decl.Doc, f.Decl, f.Obj.Name()))
		}
	}
	return out
}
