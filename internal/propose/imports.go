package propose

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// pass presents a file's package the way rules see it, for what both share.
func (f *file) pass(p *Program) *rule.Pass {
	return &rule.Pass{Pass: &analysis.Pass{Fset: p.fset, Files: f.pkg.Syntax, Pkg: f.pkg.Types, TypesInfo: f.pkg.TypesInfo}}
}

// qualifier returns the name by which code at pos refers to a package, as it
// will be once reimport has been made; "" where the name is taken.
func (p *Program) qualifier(f *file, pos token.Pos, path string) string {
	name, _, ok := code.Import(f.pkg.TypesInfo, f.pkg.Types, f.syntax, pos, path)
	if !ok {
		return ""
	}
	return name
}

// reimport returns the edits that import paths, and that drop the import of
// old if the nodes given were the last to use it.
func (p *Program) reimport(f *file, pos token.Pos, paths []string, old string, removed ...ast.Node) ([]model.Edit, bool) {
	texts, ok := code.Reimport(f.pass(p), pos, paths, old, removed...)
	if only := onlyImport(f); ok && only != nil && inserts(texts) {
		return []model.Edit{p.grouped(f, only, texts)}, true
	}
	var edits []model.Edit
	for _, e := range texts {
		edits = append(edits, model.Edit{File: f.name, Start: p.offset(e.Pos), End: p.offset(e.End), New: string(e.NewText)})
	}
	return edits, ok
}

// onlyImport returns the one import declaration of a file if it is one without
// parentheses, else nil.
func onlyImport(f *file) *ast.GenDecl {
	var only *ast.GenDecl
	for _, d := range f.syntax.Decls {
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
func (p *Program) grouped(f *file, only *ast.GenDecl, added []analysis.TextEdit) model.Edit {
	specs := []string{p.source(f, only.Specs[0])}
	for _, e := range added {
		specs = append(specs, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(e.NewText)), "import")))
	}
	slices.Sort(specs)
	return p.edit(f, p.offset(only.Pos()), p.offset(only.End()), "import (\n\t"+strings.Join(specs, "\n\t")+"\n)")
}

// formatted returns declarations in gofmt's style.
func formatted(text string) string {
	out, err := format.Source([]byte(text))
	if err != nil {
		return text // the type-check that follows names the mistake
	}
	return string(out)
}

// declared reports whether a package already holds these very declarations:
// an earlier change has made them.
func declared(k *pkg, text string) bool {
	for _, f := range k.files {
		if bytes.Contains(f.src, bytes.TrimSpace([]byte(formatted(text)))) {
			return true
		}
	}
	return false
}

// below returns the edit that puts declarations after a function.
func (p *Program) below(fn *function, text string) model.Edit {
	at := p.offset(fn.decl.End())
	if n := bytes.IndexByte(fn.file.src[at:], '\n'); n >= 0 {
		at += n
	} else {
		at = len(fn.file.src)
	}
	return model.Edit{File: fn.file.name, Start: at, End: at, New: "\n\n" + formatted(text)}
}
