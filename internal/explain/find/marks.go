package find

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

// marks are what comments say of files below root, by name.
type marks struct {
	root  string
	known map[string]*mark
}

// A mark is what comments say of one file.
type mark struct {
	generated bool
	ignores   []rule.Ignore
}

// of reads a file. Of one that cannot be read or parsed nothing is known.
func (m *marks) of(file string) *mark {
	if got, ok := m.known[file]; ok {
		return got
	}
	if m.known == nil {
		m.known = make(map[string]*mark)
	}
	got := new(mark)
	m.known[file] = got
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filepath.Join(m.root, filepath.FromSlash(file)), nil, parser.ParseComments|parser.SkipObjectResolution)
	if err == nil {
		got.generated, got.ignores = ast.IsGenerated(f), rule.Ignores(fset, []*ast.File{f})
	}
	return got
}

// silences reports whether a directive is about what the compiler reports on a line.
func (m *mark) silences(line int) bool {
	return slices.ContainsFunc(m.ignores, func(ig rule.Ignore) bool {
		return ig.Covers(token.Position{Filename: ig.File, Line: line}, catalogue.Escapes)
	})
}
