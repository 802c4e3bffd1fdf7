package propose

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// standard returns a package of the standard library that no loaded package
// imports, for edits that do. Types that it shares with what is loaded stay the
// same types.
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
	found, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedExportFile, Context: context.Background(), Dir: p.dir, Env: p.env,
	}, path)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", path, err)
	}
	if len(found) != 1 || found[0].ExportFile == "" {
		return nil, fmt.Errorf("package %s is not loaded", path)
	}
	known := map[string]*types.Package{}
	for _, t := range p.imports {
		reachable(t, known)
	}
	p.stdlib[path], err = p.readExport(found[0], known)
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

func (p *Program) readExport(lp *packages.Package, known map[string]*types.Package) (*types.Package, error) {
	f, err := os.Open(lp.ExportFile)
	if err != nil {
		return nil, fmt.Errorf("reading the types of %s: %w", lp.PkgPath, err)
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("reading the types of %s: %w", lp.PkgPath, err)
	}
	t, err := gcexportdata.Read(r, p.fset, known, lp.PkgPath)
	if err != nil {
		return nil, fmt.Errorf("reading the types of %s: %w", lp.PkgPath, err)
	}
	return t, nil
}
