package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/model"
)

// A File is a parsed source file. Its offsets, lines and columns are those of
// the file on disk: a //line directive moves none of them.
type File struct {
	Name   string // as edits and findings have it
	Path   string // absolute
	Src    []byte
	Fset   *token.FileSet
	Syntax *ast.File
}

// Parse parses a file with its comments, and does not resolve identifiers.
func Parse(fset *token.FileSet, name, path string, src []byte) (*File, error) {
	syntax, err := parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &File{name, path, src, fset, syntax}, nil
}

// Rel returns the name of a file relative to a directory, with slashes; the name as it is where the file is outside. The
// directory may be named by way of a link.
func Rel(dir, name string) string {
	rel, ok := within(dir, name)
	if !ok {
		real, _ := filepath.EvalSymlinks(dir) // which asks the system about each part of the path
		rel, ok = within(real, name)
	}
	if !ok {
		rel = name
	}
	return filepath.ToSlash(rel)
}

// within returns the path to a file from a directory that it is in.
func within(dir, name string) (string, bool) {
	rel, err := filepath.Rel(dir, name)
	return rel, err == nil && filepath.IsLocal(rel)
}

// Offset returns where a position is in Src.
func (f *File) Offset(at token.Pos) int { return f.Fset.PositionFor(at, false).Offset }

// Line returns the line of a position, from 1.
func (f *File) Line(at token.Pos) int { return f.Fset.PositionFor(at, false).Line }

// Col returns the column of a position in bytes, from 1.
func (f *File) Col(at token.Pos) int { return f.Fset.PositionFor(at, false).Column }

// Text returns the text of a node.
func (f *File) Text(n ast.Node) string { return string(f.Src[f.Offset(n.Pos()):f.Offset(n.End())]) }

// Insert returns the edit that puts text at a position. Without a newline in
// it, lines keep their numbers.
func (f *File) Insert(at token.Pos, text string) model.Edit { return f.edit(at, at, text) }

// Replace returns the edit that puts text in place of a node.
func (f *File) Replace(n ast.Node, text string) model.Edit { return f.edit(n.Pos(), n.End(), text) }

// Append returns the edit that puts text behind all that is there.
func (f *File) Append(text string) model.Edit {
	return model.Edit{File: f.Name, Start: len(f.Src), End: len(f.Src), New: text}
}

func (f *File) edit(from, to token.Pos, text string) model.Edit {
	return model.Edit{File: f.Name, Start: f.Offset(from), End: f.Offset(to), New: text}
}

// Moved returns where a position is after edits that have no newlines.
func (f *File) Moved(at token.Pos, edits []model.Edit) model.Pos {
	p := model.Pos{File: f.Name, Line: f.Line(at), Col: f.Col(at)}
	off := f.Offset(at)
	begin := off - (p.Col - 1)
	for _, e := range edits {
		if e.File == f.Name && begin <= e.Start && e.End <= off {
			p.Col += len(e.New) - (e.End - e.Start)
		}
	}
	return p
}
