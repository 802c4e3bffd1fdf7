package propose

import (
	"context"
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// standard returns a package of the standard library that no loaded package
// imports, for edits that do. It is of a universe of its own: its types are not
// those of the same package where another that was loaded refers to it, which
// only matters for values that go from one to the other by a concrete type.
func (p *Program) standard(path string) (*types.Package, error) {
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
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes, Context: context.Background(), Dir: p.dir, Env: p.env,
	}, path)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", path, err)
	}
	if len(loaded) != 1 || len(loaded[0].Errors) > 0 || loaded[0].Types == nil {
		return nil, fmt.Errorf("package %s is not loaded", path)
	}
	p.stdlib[path] = loaded[0].Types
	return loaded[0].Types, nil
}
