package guard

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	textedit "github.com/pawl-dev/pawl/internal/source/edit"
)

// OwnTests separates the tests that a fix brings from the code that it changes.
// Tests alone are no fix, and a test file whose benchmarks or helpers change is
// not taken for one that brings tests: it stays with the code, and is refused.
// read returns a file of the base, nil where there is none.
func OwnTests(edits []model.Edit, read func(file string) []byte) (code, tests []model.Edit) {
	byFile := make(map[string][]model.Edit)
	for _, e := range edits {
		byFile[e.File] = append(byFile[e.File], e)
	}
	for _, e := range edits {
		if strings.HasSuffix(e.File, "_test.go") && onlyTests(read(e.File), byFile[e.File]) {
			tests = append(tests, e)
		} else {
			code = append(code, e)
		}
	}
	if len(code) == 0 {
		return edits, nil
	}
	return code, tests
}

// onlyTests reports whether edits of a test file leave all that it declares as it
// is but for tests, examples and fuzz tests. New declarations may come.
func onlyTests(before []byte, edits []model.Edit) bool {
	after, err := textedit.Apply(before, edits)
	if err != nil {
		return false
	}
	was, ok := helpers(before)
	now, parses := helpers(after)
	if !ok || !parses {
		return false
	}
	for name, text := range was {
		if now[name] != text {
			return false
		}
	}
	return true
}

var isTest = regexp.MustCompile(`^(Test|Example|Fuzz)`)

// helpers returns the text of what a test file declares but for its tests, by
// name. Imports and comments are not among it.
func helpers(src []byte) (map[string]string, bool) {
	out := make(map[string]string)
	if len(src) == 0 {
		return out, true
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	text := func(n ast.Node) string {
		return string(src[fset.PositionFor(n.Pos(), false).Offset:fset.PositionFor(n.End(), false).Offset])
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil || d.Name.Name == "TestMain" || !isTest.MatchString(d.Name.Name) {
				name := d.Name.Name
				if d.Recv != nil {
					name = text(d.Recv) + name
				}
				out[name] += text(d)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out[s.Name.Name] = text(s)
				case *ast.ValueSpec:
					out[s.Names[0].Name] += d.Tok.String() + text(s)
				}
			}
		}
	}
	return out, true
}

var (
	failedLine = regexp.MustCompile(`^--- FAIL: (\w+)`)
	netError   = regexp.MustCompile(`no such host|network is unreachable|[Tt]emporary failure in name resolution|server misbehaving|no route to host`)
)

// NeedNetwork returns the tests that failed since they found no network, as the
// detail of a check of tests shows; none where another failed, too.
func NeedNetwork(detail string) []string {
	because := make(map[string]bool)
	at := ""
	for l := range strings.Lines(detail) {
		if m := failedLine.FindStringSubmatch(l[max(0, strings.Index(l, "--- FAIL: ")):]); m != nil {
			at = m[1]
			because[at] = because[at] || false
		}
		if netError.MatchString(l) && at != "" {
			because[at] = true
		}
	}
	var out []string
	for name, net := range because {
		if !net {
			return nil
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
