package code

import (
	"go/ast"
	"go/token"
	"strings"
)

// Setting reports whether files mention a GODEBUG setting: in a //go:debug
// line, or in a string, as a call of os.Setenv or of a command would.
func Setting(files []*ast.File, name string) bool {
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:debug") && strings.Contains(c.Text, name) {
					return true
				}
			}
		}
		if Any(f, func(lit *ast.BasicLit) bool { return lit.Kind == token.STRING && strings.Contains(lit.Value, name) }) {
			return true
		}
	}
	return false
}
