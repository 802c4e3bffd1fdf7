// Package source gives packages their types. What they import is taken from the
// export data that the go command has of it, which is fast. Where this pawl
// cannot read that, it is type-checked from source, without function bodies.
// The compiler of a new Go release, or of a patch of one, may write another
// format. A standard library newer than the type checker in this program may
// declare what the type checker cannot represent. A package that uses none of
// that type-checks all the same.
package source

import (
	"maps"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// Load is packages.Load. source reports whether imports came from source: then
// types read from export data, as of further packages, do not fit. Where an overlay
// changes texts alone, what it takes an import away from still lists it in Imports.
func Load(cfg *packages.Config, patterns ...string) (pkgs []*packages.Package, source bool, err error) {
	if pkgs, ok := loadReplaced(cfg, patterns); ok {
		return pkgs, false, nil
	}
	pkgs, err = packages.Load(cfg, patterns...)
	if err != nil || !unreadable(pkgs) {
		return pkgs, false, err
	}
	again := *cfg
	// With an overlay, packages.Load takes no export data. This one adds nothing.
	again.Overlay = maps.Clone(cfg.Overlay)
	if again.Overlay == nil {
		again.Overlay = make(map[string][]byte)
	}
	again.Overlay[filepath.Join(os.TempDir(), "pawl-no-such-directory", "none.go")] = []byte("package none\n")
	if pkgs, err = packages.Load(&again, patterns...); err != nil {
		return nil, true, err
	}
	forgive(pkgs)
	return pkgs, true, nil
}

// unreadable reports whether the export data of an import could not be read.
func unreadable(pkgs []*packages.Package) bool {
	found := false
	packages.Visit(pkgs, func(p *packages.Package) bool {
		for _, e := range p.Errors {
			// Such an error has no place, and is of none of the kinds with a name.
			found = found || e.Kind == packages.UnknownError && e.Pos == "-" && len(p.Syntax) == 0
		}
		return !found
	}, nil)
	return found
}

// Closure lists the packages of the main module that match, and those that they import. Mode of cfg is set: their
// names alone are loaded, which is cheap.
func Closure(cfg *packages.Config, patterns ...string) ([]*packages.Package, error) {
	cfg.Mode = packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule
	named, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	var all []*packages.Package
	packages.Visit(named, func(p *packages.Package) bool {
		if p.Module != nil && p.Module.Main {
			all = append(all, p)
		}
		return true
	}, nil)
	return all, nil
}

// forgive takes the errors off packages of the standard library that stand in
// code newer than this program: what imports them is as sound as it is itself.
func forgive(pkgs []*packages.Package) {
	named := make(map[*packages.Package]bool)
	for _, p := range pkgs {
		named[p] = true
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if !named[p] && standard(p) {
			p.Errors, p.TypeErrors, p.IllTyped = nil, nil, false
			return
		}
		p.IllTyped = len(p.Errors) > 0
		for _, dep := range p.Imports {
			p.IllTyped = p.IllTyped || dep.IllTyped
		}
	})
}

// standard reports whether a package is of the standard library.
func standard(p *packages.Package) bool { return p.Module == nil || p.Module.Path == "std" }
