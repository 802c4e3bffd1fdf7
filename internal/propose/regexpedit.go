package propose

import (
	"bytes"
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"github.com/pawl-dev/pawl/internal/matcher"
	"github.com/pawl-dev/pawl/internal/model"
)

// regexpEdits replaces the calls, adds the function behind the declaration of
// the variable, and takes that away where nothing else uses it.
func (p *Program) regexpEdits(decl *regexpVar, v *types.Var, code *matcher.Function, u *regexpUse) []model.Edit {
	var edits []model.Edit
	for i, sel := range u.calls {
		edits = append(edits, p.edit(u.files[i], p.offset(sel.Pos()), p.offset(sel.End()), code.Name))
	}
	f, behind := decl.file, p.offset(decl.decl.End())
	if u.kept {
		behind = lineEnd(f.src, behind)
		return append(edits, p.edit(f, behind, behind, "\n\n"+strings.TrimSuffix(code.Source, "\n")))
	}
	doc, text := decl.spec.Doc, strings.TrimSuffix(code.Source, "\n")
	if !decl.decl.Lparen.IsValid() {
		doc = decl.decl.Doc
	}
	text = documented(doc, v.Name(), code.Name) + text
	if len(decl.decl.Specs) == 1 {
		start := p.offset(decl.decl.Pos())
		if decl.decl.Doc != nil {
			start = p.offset(decl.decl.Doc.Pos())
		}
		edits = append(edits, p.edit(f, start, lineEnd(f.src, behind), text))
	} else {
		start := p.offset(decl.spec.Pos())
		if doc != nil {
			start = p.offset(doc.Pos())
		}
		end := lineEnd(f.src, p.offset(decl.spec.End()))
		if end < len(f.src) {
			end++
		}
		behind = lineEnd(f.src, behind)
		edits = append(edits, p.edit(f, lineStart(f.src, start), end, ""), p.edit(f, behind, behind, "\n\n"+text))
	}
	return append(edits, p.unimport(f, decl.spec)...)
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
func (p *Program) unimport(f *file, gone *ast.ValueSpec) []model.Edit {
	info, used := f.pkg.TypesInfo, false
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if name, isPkg := info.Uses[id].(*types.PkgName); ok && isPkg && name.Imported().Path() == "regexp" && !within(gone, id) {
			used = true
		}
		return !used
	})
	if used {
		return nil
	}
	for _, d := range f.syntax.Decls {
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
			end := lineEnd(f.src, p.offset(node.End()))
			return []model.Edit{p.edit(f, lineStart(f.src, p.offset(node.Pos())), min(end+1, len(f.src)), "")}
		}
	}
	return nil
}
