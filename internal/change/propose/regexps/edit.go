package regexps

import (
	"bytes"
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/change/propose/regexps/recode"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// regexpEdits replaces the calls, adds the function behind the declaration of
// the variable, and takes that away where nothing else uses it.
func regexpEdits(p *prove.Program, decl *regexpVar, v *types.Var, code *recode.Function, u *regexpUse) []model.Edit {
	var edits []model.Edit
	for i, sel := range u.calls {
		edits = append(edits, p.Put(u.files[i], sel.Pos(), sel.End(), code.Name))
	}
	f, behind := decl.file, p.Offset(decl.decl.End())
	if u.kept {
		behind = lineEnd(f.Src, behind)
		return append(edits, p.Edit(f, behind, behind, "\n\n"+strings.TrimSuffix(code.Source, "\n")))
	}
	doc, text := decl.spec.Doc, strings.TrimSuffix(code.Source, "\n")
	if !decl.decl.Lparen.IsValid() {
		doc = decl.decl.Doc
	}
	text = documented(doc, v.Name(), code.Name) + text
	if len(decl.decl.Specs) == 1 {
		start := p.Offset(decl.decl.Pos())
		if decl.decl.Doc != nil {
			start = p.Offset(decl.decl.Doc.Pos())
		}
		edits = append(edits, p.Edit(f, start, lineEnd(f.Src, behind), text))
	} else {
		start := p.Offset(decl.spec.Pos())
		if doc != nil {
			start = p.Offset(doc.Pos())
		}
		end := lineEnd(f.Src, p.Offset(decl.spec.End()))
		if end < len(f.Src) {
			end++
		}
		behind = lineEnd(f.Src, behind)
		edits = append(edits, p.Edit(f, lineStart(f.Src, start), end, ""), p.Edit(f, behind, behind, "\n\n"+text))
	}
	return append(edits, unimport(p, f, decl.spec)...)
}

// documented returns the comment of a variable as the beginning of that of
// the function which takes its place. What is not for readers is left out.
func documented(doc *ast.CommentGroup, name, by string) string {
	if doc == nil {
		return ""
	}
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	var b strings.Builder
	for line := range strings.Lines(doc.Text()) {
		b.WriteString("// " + word.ReplaceAllLiteralString(strings.TrimSuffix(line, "\n"), by) + "\n")
	}
	if b.Len() > 0 {
		b.WriteString("//\n")
	}
	return b.String()
}

// lineStart and lineEnd return where the line around an offset begins, and
// where its line break is.
func lineStart(src []byte, offset int) int { return bytes.LastIndexByte(src[:offset], '\n') + 1 }

func lineEnd(src []byte, offset int) int {
	if n := bytes.IndexByte(src[offset:], '\n'); n >= 0 {
		return offset + n
	}
	return len(src)
}

// unimport removes the import of package regexp from a file where nothing but
// the declaration that goes uses it.
func unimport(p *prove.Program, f *prove.File, gone *ast.ValueSpec) []model.Edit {
	if code.Any(f.Syntax, func(id *ast.Ident) bool {
		name, ok := f.Pkg.TypesInfo.Uses[id].(*types.PkgName)
		return ok && name.Imported().Path() == "regexp" && !code.Within(gone, id)
	}) {
		return nil
	}
	for _, d := range f.Syntax.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range gen.Specs {
			spec, ok := s.(*ast.ImportSpec)
			if !ok || spec.Path.Value != `"regexp"` {
				continue
			}
			var node ast.Node = spec
			if len(gen.Specs) == 1 {
				node = gen
			}
			end := lineEnd(f.Src, p.Offset(node.End()))
			return []model.Edit{p.Edit(f, lineStart(f.Src, p.Offset(node.Pos())), min(end+1, len(f.Src)), "")}
		}
	}
	return nil
}
