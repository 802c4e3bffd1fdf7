package source

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// loadReplaced loads packages with the texts of an overlay in place of those on
// disk, unseen by the go command. With an overlay, packages.Load type-checks all
// that is imported from source, the standard library included, and the go command
// compiles what was changed. It reports false where the go command has to see the
// overlay, and where anything is wrong, so that errors are those of packages.Load.
func loadReplaced(cfg *packages.Config, patterns []string) ([]*packages.Package, bool) {
	if len(cfg.Overlay) == 0 || cfg.ParseFile != nil || cfg.Mode&packages.NeedDeps != 0 {
		return nil, false
	}
	for name, text := range cfg.Overlay {
		if !listedAlike(name, text) {
			return nil, false
		}
	}
	var mu sync.Mutex // files are parsed side by side
	unread := maps.Clone(cfg.Overlay)
	plain := *cfg
	plain.Overlay = nil
	plain.ParseFile = func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
		if text, ok := cfg.Overlay[name]; ok {
			src = text
			mu.Lock()
			delete(unread, name)
			mu.Unlock()
		}
		return parser.ParseFile(fset, name, src, parser.AllErrors|parser.ParseComments) // as packages.Load does
	}
	pkgs, err := packages.Load(&plain, patterns...)
	wrong := err != nil || len(unread) > 0
	packages.Visit(pkgs, func(p *packages.Package) bool {
		wrong = wrong || len(p.Errors) > 0
		return !wrong
	}, nil)
	return pkgs, !wrong
}

// listedAlike reports whether go list says the same of a file as it is and with
// another text, but for imports that are gone: its package, its constraints, what it
// embeds, and no import that is new to its directory.
func listedAlike(name string, text []byte) bool {
	disk, err := os.ReadFile(name)
	if err != nil || bytes.Contains(disk, []byte("//go:embed")) || bytes.Contains(text, []byte("//go:embed")) {
		return false
	}
	was, now := head(name, disk), head(name, text)
	if was == nil || now == nil || was.Name.Name != now.Name.Name || !slices.Equal(constraints(was), constraints(now)) {
		return false
	}
	before, after := importsOf(was), importsOf(now)
	if before[`"C"`] || after[`"C"`] {
		return false
	}
	siblings, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*.go")) // the pattern is valid, or matches nothing
	for _, s := range siblings {
		if other, err := os.ReadFile(s); err == nil {
			maps.Copy(before, importsOf(head(s, other)))
		}
	}
	for path := range after {
		if !before[path] {
			return false
		}
	}
	return true
}

// head parses a file up to its imports; nil stands for one that does not parse.
func head(name string, text []byte) *ast.File {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return nil
	}
	return f
}

func importsOf(f *ast.File) map[string]bool {
	out := make(map[string]bool)
	if f != nil {
		for _, s := range f.Imports {
			out[s.Path.Value] = true
		}
	}
	return out
}

// constraints returns the lines above the package clause that decide whether a file is built.
func constraints(f *ast.File) (lines []string) {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if c.Pos() < f.Package && (strings.HasPrefix(c.Text, "//go:") || strings.Contains(c.Text, "+build")) {
				lines = append(lines, c.Text)
			}
		}
	}
	return lines
}
