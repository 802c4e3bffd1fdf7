package prove

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

func TestIndented(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb":                        "a\n\tb",
		"a(`x\ny`, 1)\nb":             "a(`x\ny`, 1)\n\tb",
		"`x\r\ny`\nb(`\n`)\n":         "`x\r\ny`\n\tb(`\n`)\n\t",
		"a // `\nb // `\nc":           "a // `\n\tb // `\n\tc",
		"'`' + \"`\"\nb":              "'`' + \"`\"\n\tb",
		"if a {\n`never closed\nx\ny": "if a {\n\t`never closed\n\tx\n\ty",
	} {
		if got := indented(text, "\t"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Of a file that is not in gofmt's style, what edits do to a declaration that is in it stays so.
func TestStyled(t *testing.T) {
	const clean = "func f() {\n\tfor {\n\t\ta()\n\t}\n}\n"
	const other = "func g() {\n    b( )\n    a()\n}\n"
	for _, c := range []struct{ name, src, old, text, want string }{
		{"a file in style", "package p\n\n" + clean, "a()", "if x {\nb( )\n}", "package p\n\nfunc f() {\n\tfor {\n\t\tif x {\n\t\t\tb()\n\t\t}\n\t}\n}\n"},
		{"a declaration in style", "package  p\n\n" + clean + other, "a()", "if x {\nb( )\n}", "package  p\n\nfunc f() {\n\tfor {\n\t\tif x {\n\t\t\tb()\n\t\t}\n\t}\n}\n" + other},
		{"another", "package p\n\n" + other + clean, "a()", "if x {\nb( )\n}", "package p\n\nfunc g() {\n    b( )\n    if x {\nb( )\n}\n}\n" + clean},
		{"fields", "package  p\n\ntype t struct {\n\ta int\n}\n", "a int\n", "a int\nlong string\n", "package  p\n\ntype t struct {\n\ta    int\n\tlong string\n}\n"},
		{"behind one", "package  p\n\ntype t struct{}\n", "\n", "\n\nvar  x t", "package  p\n\nvar  x t\ntype t struct{}\n"},
		{"an import", "package  p\n\nimport \"a\"\n", "import \"a\"", "import (\n\"a\"\n\"b\"\n)", "package  p\n\nimport (\n\t\"a\"\n\t\"b\"\n)\n"},
	} {
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, "x.go", c.src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(c.src, c.old)
		p := &Editor{Module: &Module{Fset: fset}}
		out, err := p.styled(&File{Name: "x.go", Src: []byte(c.src), Syntax: syntax}, []model.Edit{{File: "x.go", Start: at, End: at + len(c.old), New: c.text}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, string(out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func FuzzLineEdits(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n")
	f.Add("", "a")
	f.Add("a\n\n\nb", "\nb\na\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		got, err := edit.Apply([]byte(a), lineEdits("f", []byte(a), []byte(b)))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != b {
			t.Errorf("edits from %q to %q give %q", a, b, got)
		}
	})
}
