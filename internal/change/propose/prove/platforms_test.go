package prove

import (
	"go/ast"
	"go/types"
	"testing"

	"golang.org/x/tools/go/packages"
)

func TestGoAtLeast(t *testing.T) {
	for name, c := range map[string]struct {
		file   string // its own version, by a build constraint or from the module
		module *packages.Module
		want   map[string]bool
	}{
		"a file's version":  {"go1.21", &packages.Module{GoVersion: "1.24"}, map[string]bool{"go1.21": true, "go1.22": false}},
		"the module's":      {"", &packages.Module{GoVersion: "1.18"}, map[string]bool{"go1.18": true, "go1.21": false}},
		"without a go line": {"", &packages.Module{}, map[string]bool{"go1.16": true, "go1.17": false}},
		"without a module":  {"", nil, map[string]bool{"go1.26": true}},
	} {
		syntax := new(ast.File)
		f := &File{Syntax: syntax, Pkg: &Package{Package: &packages.Package{
			TypesInfo: &types.Info{FileVersions: map[*ast.File]string{syntax: c.file}}, Module: c.module,
		}}}
		for v, want := range c.want {
			if got := new(Module).GoAtLeast(f, v); got != want {
				t.Errorf("%s: %s: %v, want %v", name, v, got, want)
			}
		}
	}
}
