package prove

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/types"
	"go/version"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
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

// OtherElsewhere returns a constant of an expression that may have another value in other builds: one of a package that
// tells of the platform, one that files for other builds mention, or what is made of such a one; "" if there is none.
func (p *Surroundings) OtherElsewhere(info *types.Info, x ast.Expr) string {
	for id := range code.All[*ast.Ident](x) {
		c, ok := info.Uses[id].(*types.Const)
		if !ok || c.Pkg() == nil {
			continue
		}
		if slices.Contains([]string{"os", "path/filepath", "runtime", "syscall"}, c.Pkg().Path()) {
			return c.Name()
		}
		at := slices.IndexFunc(p.Packages, func(k *Package) bool { return k.PkgPath == c.Pkg().Path() })
		if at < 0 {
			continue
		}
		k := p.Packages[at]
		if p.IgnoredMention(k, c.Name()) != "" {
			return c.Name()
		}
		if _, _, s := k.Declared(c); s != nil {
			for _, value := range s.(*ast.ValueSpec).Values {
				if other := p.OtherElsewhere(k.TypesInfo, value); other != "" {
					return other
				}
			}
		}
	}
	return ""
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

// InAllBuilds reports whether no platform, and no build tag but that of a Go version, leaves a file out: what it declares is
// there for all files of its package.
func (f *File) InAllBuilds() bool {
	nowhere := build.Default
	nowhere.GOOS, nowhere.GOARCH = "none", "none"
	in, err := nowhere.MatchFile(filepath.Split(f.Path))
	for _, g := range f.Syntax.Comments {
		for _, c := range g.List {
			if x, bad := constraint.Parse(c.Text); bad == nil && c.Pos() < f.Syntax.Package {
				x.Eval(func(tag string) bool { // it is asked for each tag
					in = in && strings.HasPrefix(tag, "go1.")
					return true
				})
			}
		}
	}
	return in && err == nil
}

// missing returns what an edited package newly declares in a file that some builds leave out, while another file has its name;
// "" if there is none.
func (k *Package) missing(after *types.Package, syntax []*ast.File) string {
	for _, name := range after.Scope().Names() {
		if k.Types.Scope().Lookup(name) != nil {
			continue
		}
		at := after.Scope().Lookup(name).Pos()
		i := slices.IndexFunc(syntax, func(f *ast.File) bool { return f.FileStart <= at && at < f.FileEnd })
		named := func(f *ast.File) bool {
			return f != syntax[i] && code.Any(f, func(id *ast.Ident) bool { return id.Name == name })
		}
		if i >= 0 && slices.ContainsFunc(syntax, named) && !k.Files[i].InAllBuilds() {
			return name
		}
	}
	return ""
}
