package code

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/rules/rule"
)

// Import returns the qualifier by which code at pos may refer to a package
// ("" for a path that cannot be reached without a clash) and the edits that
// add the import where it is missing.
func Import(info *types.Info, pkg *types.Package, file *ast.File, pos token.Pos, importPath string) (name string, edits []analysis.TextEdit, ok bool) {
	if q := Qualifier(info, pkg, file, pos, importPath); q != "" {
		return q, nil, true
	}
	name = path.Base(importPath)
	scope := pkg.Scope().Innermost(pos)
	if scope == nil {
		scope = info.Scopes[file]
	}
	if scope == nil {
		return "", nil, false
	}
	if _, found := scope.LookupParent(name, pos); found != nil {
		return "", nil, false // the name means something else here
	}
	at, text := importEdit(file, importPath)
	return name, []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}}, true
}

// importEdit returns where an import of a path goes, and its text.
func importEdit(file *ast.File, importPath string) (token.Pos, string) {
	quoted := strconv.Quote(importPath)
	for _, d := range file.Decls {
		gd, ok := d.(*ast.GenDecl)
		if !ok || gd.Tok != token.IMPORT {
			continue
		}
		if !gd.Lparen.IsValid() {
			return gd.Pos(), fmt.Sprintf("import %s\n", quoted)
		}
		// Before the first import of the first group that sorts after it.
		for _, s := range gd.Specs {
			is := s.(*ast.ImportSpec)
			if is.Path.Value > quoted {
				return is.Pos(), quoted + "\n\t"
			}
		}
		if n := len(gd.Specs); n > 0 {
			return gd.Specs[n-1].End(), "\n\t" + quoted
		}
		return gd.Lparen + 1, "\n\t" + quoted + "\n"
	}
	return file.Name.End(), "\n\nimport " + quoted
}

// Unused reports whether an import of a package by a file would be left
// without use when the nodes given are removed, and returns its spec.
func Unused(info *types.Info, file *ast.File, importPath string, removed ...ast.Node) (*ast.ImportSpec, bool) {
	for _, imp := range file.Imports {
		if p, err := strconv.Unquote(imp.Path.Value); err != nil || p != importPath {
			continue
		}
		obj := info.PkgNameOf(imp)
		used := false
		ast.Inspect(file, func(n ast.Node) bool {
			if slices.Contains(removed, n) {
				return false
			}
			id, ok := n.(*ast.Ident)
			used = used || ok && info.Uses[id] == obj
			return !used
		})
		return imp, !used
	}
	return nil, false
}

// DropImport returns the edit that removes an import if it would be left without use when the nodes given are removed.
func DropImport(p *rule.Pass, file *ast.File, importPath string, removed ...ast.Node) (edits []analysis.TextEdit) {
	if spec, unused := Unused(p.TypesInfo, file, importPath, removed...); unused {
		edits = DeleteImport(p.Fset, file, spec)
	}
	return edits
}

// Qualified reports whether a piece of syntax names an imported package.
func Qualified(info *types.Info, in ast.Node, importPath string) bool {
	return Any(in, func(id *ast.Ident) bool {
		pkg, ok := info.Uses[id].(*types.PkgName)
		return ok && pkg.Imported().Path() == importPath
	})
}

// DeleteImport returns the edits that remove import specs with their lines, and a declaration that nothing is left in.
func DeleteImport(fset *token.FileSet, file *ast.File, specs ...*ast.ImportSpec) (edits []analysis.TextEdit) {
	for _, d := range file.Decls {
		gd, ok := d.(*ast.GenDecl)
		if !ok || gd.Tok != token.IMPORT {
			continue
		}
		stays := func(s ast.Spec) bool { return !slices.Contains(specs, s.(*ast.ImportSpec)) }
		if len(gd.Specs) > 0 && !slices.ContainsFunc(gd.Specs, stays) {
			edits = append(edits, analysis.TextEdit{Pos: gd.Pos(), End: lineEnd(fset, gd.End())})
			continue
		}
		for _, s := range gd.Specs {
			if tf := fset.File(s.Pos()); !stays(s) {
				edits = append(edits, analysis.TextEdit{Pos: tf.LineStart(tf.Line(s.Pos())), End: lineEnd(fset, s.End())})
			}
		}
	}
	return edits
}

// lineEnd returns the start of the line after pos.
func lineEnd(fset *token.FileSet, pos token.Pos) token.Pos {
	tf := fset.File(pos)
	if line := tf.Line(pos); line < tf.LineCount() {
		return tf.LineStart(line + 1)
	}
	return pos
}
