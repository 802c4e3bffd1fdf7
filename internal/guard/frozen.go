package guard

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// Frozen says why a file may not be changed, or returns "": path is relative
// to the root of the tree, before and after are its contents.
func Frozen(file string, before, after []byte) string {
	base := path.Base(file)
	dirs := strings.Split(path.Dir(file), "/")
	switch {
	case strings.HasSuffix(base, "_test.go"):
		return fmt.Sprintf("%s is a test file; tests and benchmarks stay as they are in the base", file)
	case slices.Contains(dirs, "testdata"):
		return fmt.Sprintf("%s is test data", file)
	case slices.Contains(dirs, "vendor"):
		return fmt.Sprintf("%s belongs to a dependency", file)
	case base == "go.mod", base == "go.sum", base == "go.work", base == "go.work.sum":
		return fmt.Sprintf("%s sets what is built", file)
	case !strings.HasSuffix(base, ".go"):
		return fmt.Sprintf("%s is no Go source file", file)
	case before == nil:
		return fmt.Sprintf("%s is a new file, and pawl changes only existing ones so far", file)
	}
	old, err := settings(file, before)
	if err != nil {
		return fmt.Sprintf("%s does not parse in the base: %v", file, err)
	}
	now, err := settings(file, after)
	if err != nil {
		return fmt.Sprintf("the change leaves a syntax error: %v", err)
	}
	if !slices.Equal(old, now) {
		return fmt.Sprintf("%s: a build constraint, compiler directive or cgo preamble differs from the base", file)
	}
	return ""
}

// settings returns the comments of a file that speak to the build: constraints
// above the package clause, //go: directives, and cgo preambles.
func settings(file string, src []byte) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, g := range f.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//go:") || constraint.IsPlusBuild(c.Text) || strings.HasPrefix(c.Text, "//export ") || strings.HasPrefix(c.Text, "//line ") {
				out = append(out, strings.TrimSpace(c.Text))
			}
		}
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, s := range g.Specs {
			if s.(*ast.ImportSpec).Path.Value == `"C"` {
				out = append(out, g.Doc.Text())
			}
		}
	}
	return out, nil
}
