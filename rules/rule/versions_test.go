package rule

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

type importer map[string]*types.Package

func (m importer) Import(path string) (*types.Package, error) { return m[path], nil }

// checkedPass type-checks one file of a module with a go line.
func checkedPass(t *testing.T, path, line, src string, known importer) *Pass {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path+".go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, FileVersions: map[*ast.File]string{}}
	conf := types.Config{GoVersion: line, Importer: known}
	pkg, err := conf.Check(path, fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	in := inspector.New([]*ast.File{f})
	pass := &analysis.Pass{Fset: fset, Files: []*ast.File{f}, Pkg: pkg, TypesInfo: info, ResultOf: map[*analysis.Analyzer]any{inspect.Analyzer: in}}
	ix, err := index.Analyzer.Run(pass)
	if err != nil {
		t.Fatal(err)
	}
	return &Pass{Pass: pass, Index: ix.(*index.Index)}
}

// What the language allows is the file's affair, what GODEBUG sets the go
// line's, and what the library does the toolchain's.
func TestVersions(t *testing.T) {
	file, line := Rule{Go: "go1.23"}, Rule{Go: "go1.23", GoLine: true}
	for _, c := range []struct {
		name, line, build string
		rule              Rule
		want              bool
	}{
		{"a go line that is old", "go1.22", "", file, false},
		{"a go line that is new", "go1.23", "", file, true},
		{"a patch release", "go1.23.4", "", line, true},
		{"a file of a newer version", "go1.22", "//go:build go1.23\n\n", file, true},
		{"a file of an older version", "go1.25", "//go:build go1.21\n\n", file, false},
		{"a file's version where the go line counts", "go1.22", "//go:build go1.23\n\n", line, false},
		{"an older file where the go line counts", "go1.25", "//go:build go1.21\n\n", line, true},
		{"no go line", "", "", line, true},
		{"no go line, and a file's version", "", "//go:build go1.21\n\n", line, false},
	} {
		p := checkedPass(t, "a", c.line, c.build+"package a\n", nil)
		p.Rule = c.rule
		if got := p.applies(p.Files[0].Package); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A rule that is over is silent by the library that the package is compiled
// with, also where only an import of an import shows it.
func TestUntil(t *testing.T) {
	const older, newer = "package url\ntype URL struct{}\n", "package url\ntype URL struct{}\nfunc (*URL) Clone() *URL { return nil }\n"
	for src, want := range map[string]bool{older: true, newer: false} {
		url := checkedPass(t, "net/url", "", src, nil).Pkg
		http := checkedPass(t, "net/http", "", "package http\nimport \"net/url\"\ntype Request struct{ URL *url.URL }\n", importer{"net/url": url}).Pkg
		p := checkedPass(t, "a", "go1.22", "package a\nimport \"net/http\"\nvar _ http.Request\n", importer{"net/http": http})
		p.Rule = Rule{Until: "go1.26"}
		if got := p.applies(p.Files[0].Package); got != want {
			t.Errorf("with %q it applies: %v", src, got)
		}
		if p.Rule.Until = "go1.27"; !p.applies(p.Files[0].Package) {
			t.Error("a library of Go 1.27 is taken for a later one")
		}
	}
}
