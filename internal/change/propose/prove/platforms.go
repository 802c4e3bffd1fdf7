package prove

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/version"
	"strings"

	"github.com/pawl-dev/pawl/internal/words"
)

// DeclaredElsewhere returns the file that declares fn as well, for other build
// tags or platforms; "" if there is none. What was read of fn need not hold
// there.
func (p *Surroundings) DeclaredElsewhere(fn *Function) string {
	k := fn.File.Pkg
	if p.others[k] == nil {
		p.others[k] = map[string]string{}
		for _, path := range k.IgnoredFiles {
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				continue
			}
			syntax, err := parser.ParseFile(p.Fset, path, nil, parser.SkipObjectResolution)
			if err != nil || syntax.Name.Name != k.Name {
				continue
			}
			for _, d := range syntax.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok {
					p.others[k][words.DeclName(decl)] = p.rel(path)
				}
			}
		}
	}
	return p.others[k][words.DeclName(fn.Decl)]
}

// sameElsewhere is what has to be assumed of fn for other builds, if it is
// declared for them apart.
func (p *Surroundings) sameElsewhere(fn *Function) []string {
	if f := p.DeclaredElsewhere(fn); f != "" {
		return []string{fn.Obj.Name() + " of " + f + ", for other builds, does the same"}
	}
	return nil
}

// GoAtLeast reports whether a file may use what came with a Go version, "go1.21".
func (p *Module) GoAtLeast(f *File, v string) bool {
	have := f.Pkg.TypesInfo.FileVersions[f.Syntax]
	if have == "" && f.Pkg.Module != nil {
		have = "go" + cmp.Or(f.Pkg.Module.GoVersion, "1.16") // as the go command takes a module without a go line
	}
	return have == "" || version.Compare(have, v) >= 0
}
