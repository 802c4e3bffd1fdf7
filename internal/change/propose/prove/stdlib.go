package prove

import (
	"context"
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/source"
)

// standard returns a package of the standard library that no loaded package
// imports, for edits that do. Types that it shares with what is loaded stay the
// same types.
func (p *Editor) standard(path string) (*types.Package, error) {
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return nil, fmt.Errorf("package %s is not loaded", path)
	}
	if t, ok := p.stdlib[path]; ok {
		if t == nil {
			return nil, fmt.Errorf("package %s is not loaded", path)
		}
		return t, nil
	}
	p.stdlib[path] = nil
	known := map[string]*types.Package{}
	for _, t := range p.imports {
		reachable(t, known)
	}
	found, err := source.List(&packages.Config{Context: context.Background(), Dir: p.dir, Env: p.env}, path)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", path, err)
	}
	if len(found) != 1 || found[0].ExportFile == "" {
		why := "the go command compiles no such package"
		if len(found) == 1 && len(found[0].Errors) > 0 {
			why = found[0].Errors[0].Msg
		}
		return nil, fmt.Errorf("package %s is not loaded: %s", path, why)
	}
	p.stdlib[path], err = source.Further(p.Fset, found[0], p.sourced, known)
	return p.stdlib[path], err
}

// reachable collects a package and what it imports, by path.
func reachable(t *types.Package, known map[string]*types.Package) {
	if known[t.Path()] != nil {
		return
	}
	known[t.Path()] = t
	for _, dep := range t.Imports() {
		reachable(dep, known)
	}
}
