package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/rules/rule"
)

// TypeText writes a type as it reads at a place; ok is false if a name in it cannot be
// reached from there.
func TypeText(p *rule.Pass, t types.Type, at token.Pos) (text string, ok bool) {
	return TypeTextIn(p.TypesInfo, p.Pkg, p.File(at), t, at)
}

// TypeTextIn is TypeText for a file that no pass has.
func TypeTextIn(info *types.Info, in *types.Package, file *ast.File, t types.Type, at token.Pos) (text string, ok bool) {
	ok = true
	text = types.TypeString(t, func(pkg *types.Package) string {
		if pkg == in {
			return ""
		}
		q := Qualifier(info, in, file, at, pkg.Path())
		ok = ok && q != ""
		return q
	})
	return text, ok && reachable(in, t, at, 0) && !strings.Contains(text, "`")
}

// reachable reports whether the named types in t are declared in the package, under names
// that mean the same at a place, or exported by another.
func reachable(pkg *types.Package, t types.Type, at token.Pos, depth int) bool {
	if depth > 8 {
		return false
	}
	switch t := t.(type) {
	case *types.Alias:
		return visible(pkg, t.Obj(), at)
	case *types.Named:
		return t.TypeArgs().Len() == 0 && visible(pkg, t.Obj(), at)
	case *types.TypeParam:
		return visible(pkg, t.Obj(), at)
	case *types.Basic:
		return visible(pkg, types.Universe.Lookup(t.Name()), at)
	case *types.Pointer:
		return reachable(pkg, t.Elem(), at, depth+1)
	case *types.Slice:
		return reachable(pkg, t.Elem(), at, depth+1)
	case *types.Array:
		return reachable(pkg, t.Elem(), at, depth+1)
	case *types.Map:
		return reachable(pkg, t.Key(), at, depth+1) && reachable(pkg, t.Elem(), at, depth+1)
	case *types.Struct:
		for i := range t.NumFields() {
			f := t.Field(i)
			if t.Tag(i) != "" || !f.Exported() && f.Pkg() != pkg || !reachable(pkg, f.Type(), at, depth+1) {
				return false // a tag would be written in quotes, and a field be the package's own
			}
		}
		return true
	case *types.Interface:
		return t.NumMethods() == 0 && t.NumEmbeddeds() == 0
	}
	return false
}

func visible(pkg *types.Package, obj types.Object, at token.Pos) bool {
	if obj == nil {
		return false
	}
	if obj.Pkg() != nil && obj.Pkg() != pkg {
		return obj.Exported()
	}
	scope := pkg.Scope().Innermost(at)
	if scope == nil {
		return false
	}
	_, found := scope.LookupParent(obj.Name(), at)
	return found == obj
}
