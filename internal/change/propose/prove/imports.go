package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// pass presents a file's package the way rules see it, for what both share.
func (f *File) pass(p *Module) *rule.Pass {
	return &rule.Pass{Pass: &analysis.Pass{Fset: p.Fset, Files: f.Pkg.Syntax, Pkg: f.Pkg.Types, TypesInfo: f.Pkg.TypesInfo}}
}

// Reads returns how a type reads at a place; false if a name in it cannot be reached from there.
func (p *Module) Reads(f *File, t types.Type, at token.Pos) (string, bool) {
	return code.TypeText(f.pass(p), t, at)
}

// Qualifier returns the name by which code at pos refers to a package, as it
// will be once reimport has been made; "" where the name is taken.
func (p *Editor) Qualifier(f *File, pos token.Pos, path string) string {
	name, _, ok := code.Import(f.Pkg.TypesInfo, f.Pkg.Types, f.Syntax, pos, path)
	if !ok {
		return ""
	}
	return name
}

// Reimport returns the edits that import paths, and that drop the import of
// old if the nodes given were the last to use it.
func (p *Editor) Reimport(f *File, pos token.Pos, paths []string, old string, removed ...ast.Node) ([]model.Edit, bool) {
	texts, ok := code.Reimport(f.pass(p.Module), pos, paths, old, removed...)
	if only := onlyImport(f); ok && only != nil && inserts(texts) {
		return []model.Edit{p.grouped(f, only, texts)}, true
	}
	var edits []model.Edit
	for _, e := range texts {
		edits = append(edits, model.Edit{File: f.Name, Start: p.Offset(e.Pos), End: p.Offset(e.End), New: string(e.NewText)})
	}
	return edits, ok
}

// onlyImport returns the one import declaration of a file if it is one without
// parentheses, else nil.
func onlyImport(f *File) *ast.GenDecl {
	var only *ast.GenDecl
	for _, d := range f.Syntax.Decls {
		if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.IMPORT {
			if only != nil || gen.Lparen.IsValid() {
				return nil
			}
			only = gen
		}
	}
	return only
}

func inserts(edits []analysis.TextEdit) bool {
	for _, e := range edits {
		if e.Pos != e.End {
			return false
		}
	}
	return len(edits) > 0
}

// grouped puts an import and those to be added between parentheses.
func (p *Editor) grouped(f *File, only *ast.GenDecl, added []analysis.TextEdit) model.Edit {
	specs := []string{p.Source(f, only.Specs[0])}
	for _, e := range added {
		specs = append(specs, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(e.NewText)), "import")))
	}
	slices.Sort(specs)
	return p.Put(f, only.Pos(), only.End(), "import (\n\t"+strings.Join(specs, "\n\t")+"\n)")
}
