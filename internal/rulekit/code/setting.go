package code

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Setting reports whether files mention a GODEBUG setting, or the defaults of another
// release: in a //go:debug line, or in a string, as a call of os.Setenv or of a command
// would. A godebug line of their go.mod or go.work counts as well.
func Setting(fset *token.FileSet, files []*ast.File, name string) bool {
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:debug") && setsDebug(c.Text, name) {
					return true
				}
			}
		}
		if Any(f, func(lit *ast.BasicLit) bool { return lit.Kind == token.STRING && strings.Contains(lit.Value, name) }) {
			return true
		}
	}
	return len(files) > 0 && modSets(filepath.Dir(fset.File(files[0].Package).Name()), name)
}

func setsDebug(line, name string) bool {
	return strings.Contains(line, name) || strings.Contains(line, "default=")
}

// modSets reports whether a go.mod or go.work around a directory mentions a setting: the
// driver tells an analyzer the go line alone.
func modSets(dir, name string) bool {
	for {
		for _, file := range []string{"go.mod", "go.work"} {
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil || !strings.Contains(string(text), "godebug") {
				continue
			}
			if slices.ContainsFunc(strings.Split(string(text), "\n"), func(line string) bool { return setsDebug(line, name) }) {
				return true
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}
