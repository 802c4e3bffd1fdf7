package gen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/rules/rule"
)

// Example returns the code that a rule is about, and what takes its place: the
// declarations of its evidence that differ. Where the evidence cannot be read,
// which its tests would not let pass, both are empty.
func Example(r rule.Rule) (bad, good string) {
	if r.Evidence == nil || r.Evidence.Files == nil {
		return "", ""
	}
	before, after := declarations(r, "before.go"), declarations(r, "after.go")
	return beyond(before, after), beyond(after, before)
}

// beyond joins the declarations that the other side has not.
func beyond(side, other []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(side), func(d string) bool { return slices.Contains(other, d) }), "\n\n")
}

// declarations returns the source of each declaration but imports, without the
// comment above it.
func declarations(r rule.Rule, name string) []string {
	src, err := fs.ReadFile(r.Evidence.Files, "testdata/evidence/"+name)
	if err != nil {
		return nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var all []string
	for _, d := range file.Decls {
		if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.IMPORT {
			continue
		}
		all = append(all, string(src[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset]))
	}
	return all
}
