package rule

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// A fix keeps behaviour and what people wrote: one that drops a comment is only offered.
func TestDroppedComment(t *testing.T) {
	const src = "package a\n\nfunc f() {\n\tg( // why\n\t\t1)\n}\n"
	for _, tt := range []struct {
		name, text string
		replaced   string
		want       Class
	}{
		{"dropped", "h(1)", "g( // why\n\t\t1)", B},
		{"kept", "h( // why\n\t\t1)", "g( // why\n\t\t1)", A},
		{"beside", "h", "g", A},
		{"its end", "", "y\n", B},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "a.go", src, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			in := inspector.New([]*ast.File{f})
			pkg := types.NewPackage("a", "a")
			p := newPass(&analysis.Pass{
				Fset: fset, Files: []*ast.File{f}, Pkg: pkg, Report: func(analysis.Diagnostic) {},
				ResultOf: map[*analysis.Analyzer]any{index.Analyzer: index.New(in, &types.Info{}, pkg), Settings: &settings{}},
			}, Rule{Name: "r", Fix: A, Tier: Always})
			tf := fset.File(f.Pos())
			at := strings.LastIndex(src, tt.replaced)
			p.Report(Finding{Pos: tf.Pos(at), Fixes: []analysis.SuggestedFix{{TextEdits: []analysis.TextEdit{
				{Pos: tf.Pos(at), End: tf.Pos(at + len(tt.replaced)), NewText: []byte(tt.text)},
			}}}})
			if got := p.result.Findings[0].Class; got != tt.want {
				t.Errorf("class %s, want %s", got, tt.want)
			}
		})
	}
}
