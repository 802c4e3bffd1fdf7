package boxes

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// declaration writes the type. It is declared before the function, where the
// package fmt has the name that it has in the call.
func (m *formattedError) declaration(p *prove.Program, typ string) string {
	info, f := m.fn.Info(), m.fn.File
	qualifier := code.Qualifier(info, m.fn.Obj.Pkg(), f.Syntax, m.call.Pos(), "fmt")
	var fields, args []string
	for _, o := range m.operands {
		if o.text != "" {
			args = append(args, o.text)
			continue
		}
		t, _ := fieldType(m.fn, o.typ)
		fields = append(fields, o.name+" "+t)
		args = append(args, "e."+o.name)
	}
	self := typ
	if m.own {
		self = "*" + typ
	}
	body, recv := "{"+strings.Join(fields, "")+"}", "e "+self
	switch len(fields) {
	case 0:
		recv = self
	case 1:
	default:
		body = "{\n" + strings.Join(fields, "\n") + "\n}"
	}
	text := fmt.Sprintf("// %s formats its text when that is asked for, not when the error is made.\ntype %s struct%s\n\nfunc (%s) Error() string {\nreturn %s.Sprintf(%s, %s)\n}\n",
		typ, typ, body, recv, qualifier, m.text, strings.Join(args, ", "))
	if m.wrapped != nil {
		text += fmt.Sprintf("\nfunc (%s) Unwrap() error { return %s }\n", self, m.wrapped.text)
	}
	return text
}

// literal writes the value that takes the place of the call; the fields have
// the names that first gave them.
func (m *formattedError) literal(p *prove.Program, typ string, first *formattedError) string {
	var fields []string
	for i, o := range m.operands {
		if o.text == "" {
			value := p.Source(m.fn.File, o.arg)
			if o.copy {
				value = "string(" + value + ")"
			}
			fields = append(fields, first.operands[i].name+": "+value)
		}
	}
	if len(fields) == 1 {
		_, fields[0], _ = strings.Cut(fields[0], ": ")
	}
	text := typ + "{" + strings.Join(fields, ", ") + "}"
	if first.own {
		text = "&" + text
	}
	if a, ok := m.fn.File.Parent(m.call).(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		return "error(" + text + ")"
	}
	return text
}

// unusedImports removes the imports of errors and fmt from files that called them at these places only. The type needs fmt where
// the first one is.
func unusedImports(p *prove.Program, all []*formattedError) []model.Edit {
	removed := map[*prove.File][]ast.Node{}
	for _, m := range all {
		removed[m.fn.File] = append(removed[m.fn.File], m.call.Fun, m.printing.Fun)
	}
	var edits []model.Edit
	for f, calls := range removed {
		var gone []*ast.ImportSpec
		for _, path := range []string{"errors", "fmt"} {
			if spec, unused := code.Unused(f.Pkg.TypesInfo, f.Syntax, path, calls...); unused && (path == "errors" || f != all[0].fn.File) {
				gone = append(gone, spec)
			}
		}
		for _, e := range code.DeleteImport(p.Fset, f.Syntax, gone...) {
			edits = append(edits, model.Edit{File: f.Name, Start: p.Offset(e.Pos), End: p.Offset(e.End)})
		}
	}
	return edits
}

// errorTypeName makes a name of the first words of the text: "invalid length:
// %d" gives invalidLengthError. It returns "" when none is free.
func errorTypeName(p *prove.Program, k *prove.Package, m *formattedError) string {
	format := constant.StringVal(m.fn.Info().Types[m.format].Value)
	if m.wrapped != nil { // ErrTooLarge says as much as the text does
		format = strings.Replace(format, "%w", strings.TrimPrefix(code.UpperName(m.wrapped.is.Name()), "Err"), 1)
	}
	words := textWords(strings.TrimPrefix(format, k.Name+": "))
	fn := code.LowerName(m.fn.Obj.Name())
	candidates := []string{joinWords(append(words, "error")), joinWords(append(append([]string{fn}, words...), "error"))}
	if len(words) < 2 {
		candidates = candidates[1:]
	}
	for _, name := range candidates {
		if p.Free(k, name) {
			return name
		}
	}
	return ""
}

// textWords returns the first words of a format, at most four: those before
// its first verb, or more if fewer than two stand there. Words that say little
// are left out.
func textWords(format string) []string {
	var words []string
	for i, part := range verbPattern.Split(format, -1) {
		if i > 0 && len(words) >= 2 {
			break
		}
		part = strings.NewReplacer("'", "", "’", "").Replace(part)
		for _, w := range strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if len(words) < 4 && unicode.IsLetter([]rune(w)[0]) && !slices.Contains(fillers, strings.ToLower(w)) {
				words = append(words, w)
			}
		}
	}
	return words
}

var fillers = strings.Fields("a an and are at be but by error for got has have in is it must of on or that the this to want was were with")

var verbPattern = regexp.MustCompile(`%[-+# 0-9.]*.`)

// joinWords makes one name of words: the first begins with a small letter.
func joinWords(words []string) string {
	name := code.LowerName(words[0])
	for _, w := range words[1:] {
		name += code.UpperName(w)
	}
	return name
}
