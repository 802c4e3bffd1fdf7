package find

import (
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/pawl-dev/pawl/internal/model"
)

// A place is what stands where an edit inserts text.
type place int

const (
	inside   place = iota // of a declaration, or what cannot be said
	between               // declarations, or after all of them
	imported              // packages, in parentheses
)

// A spot is an offset in a file.
type spot struct {
	file string
	at   int
}

// place returns what stands where an edit starts.
func (w *workshop) place(e model.Edit) (place, error) {
	key := spot{e.File, e.Start}
	if p, ok := w.places[key]; ok {
		return p, nil
	}
	src, err := w.text(e.File)
	if err != nil {
		return inside, err
	}
	w.places[key] = placeOf(src, e.Start)
	return w.places[key], nil
}

func placeOf(src []byte, at int) place {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return inside
	}
	offset := func(pos token.Pos) int { return fset.Position(pos).Offset }
	if at < offset(f.Name.End()) {
		return inside
	}
	for _, d := range f.Decls {
		gd, _ := d.(*ast.GenDecl)
		switch {
		case at <= offset(start(d)) || at >= offset(d.End()):
		case gd != nil && gd.Tok == token.IMPORT && gd.Lparen.IsValid() && offset(gd.Lparen) < at && at <= offset(gd.Rparen):
			return imported
		default:
			return inside
		}
	}
	return between
}

// start returns where a declaration starts, its comment included.
func start(d ast.Decl) token.Pos {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	}
	return d.Pos()
}

// unordered reports whether two insertions at one place may be made both, one
// after the other: each brings whole declarations or imports, which mean the
// same in any order and are not joined to others by it.
func unordered(at place, a, b string) bool {
	head, tail := "package p\n", "\n"
	switch at {
	case inside:
		return false
	case imported:
		head, tail = head+"import (\n", "\n)\n"
	}
	one, ok1 := declarations(head + a + tail)
	two, ok2 := declarations(head + b + tail)
	both, ok3 := declarations(head + a + b + tail)
	return ok1 && ok2 && ok3 && one.imports+two.imports == both.imports && one.others+two.others == both.others &&
		(one.others == 0) == (two.others == 0) && (one.imports == 0) == (two.imports == 0)
}

// declared is what a text declares: how many imports and other declarations,
// and which names of the package.
type declared struct {
	imports, others int
	names           []string
}

func declarations(src string) (d declared, ok bool) {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return d, false
	}
	d.imports = len(f.Imports)
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			d.others++
			if decl.Recv == nil && decl.Name.Name != "init" {
				d.names = append(d.names, decl.Name.Name)
			}
		case *ast.GenDecl:
			if decl.Tok != token.IMPORT {
				d.others++
			}
			for _, spec := range decl.Specs {
				d.names = append(d.names, specNames(spec)...)
			}
		}
	}
	return d, true
}

func specNames(spec ast.Spec) (names []string) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []string{spec.Name.Name}
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			if id.Name != "_" {
				names = append(names, id.Name)
			}
		}
	}
	return names
}
