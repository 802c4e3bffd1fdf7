package prove

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// hides reports whether the package declares a name that Go predeclares, such as true.
func (k *Package) hides() bool {
	for id, obj := range k.TypesInfo.Defs {
		if obj != nil && obj.Parent() != nil && types.Universe.Lookup(id.Name) != nil {
			return true
		}
	}
	return false
}

// misread names what an edited file uses as if it were predeclared, while it is something else there; "" where that is nothing.
// What the file has used so before is its own.
func misread(before *ast.File, known *types.Info, after *ast.File, info *types.Info) string {
	if before == after || info.Uses == nil {
		return ""
	}
	own := map[string]bool{}
	for id := range code.All[*ast.Ident](before) {
		own[id.Name] = own[id.Name] || looksPredeclared(id, known.Uses[id])
	}
	for id := range code.All[*ast.Ident](after) {
		if !own[id.Name] && looksPredeclared(id, info.Uses[id]) {
			return id.Name
		}
	}
	return ""
}

// looksPredeclared reports whether a name is that of something predeclared, and means another thing that can stand there.
func looksPredeclared(id *ast.Ident, obj types.Object) bool {
	hidden := types.Universe.Lookup(id.Name)
	if hidden == nil || obj == nil || obj.Parent() == nil || obj.Parent() == types.Universe {
		return false
	}
	switch hidden.(type) {
	case *types.Builtin:
		_, calls := obj.Type().Underlying().(*types.Signature)
		return calls
	case *types.TypeName:
		_, named := obj.(*types.TypeName)
		return named
	}
	return true
}

// reordered returns a package variable that is not initialized where it was among the others, "" if there is none. What a
// function mentions, a method that it called by way of an interface before, comes before the variables that call it.
func reordered(before, after []*types.Initializer) string {
	was, is := initialized(before), initialized(after)
	both := map[string]int{}
	for _, name := range was {
		both[name] |= 1
	}
	for _, name := range is {
		both[name] |= 2
	}
	lone := func(name string) bool { return both[name] != 3 }
	was, is = slices.DeleteFunc(was, lone), slices.DeleteFunc(is, lone)
	for i, name := range was {
		if i >= len(is) || is[i] != name {
			return name
		}
	}
	return ""
}

// initialized returns the names of the variables that are given a value, one after the other. A blank one goes by its value.
func initialized(all []*types.Initializer) (names []string) {
	for _, one := range all {
		for _, v := range one.Lhs {
			name := v.Name()
			if name == "_" {
				name += " = " + types.ExprString(one.Rhs)
			}
			names = append(names, name)
		}
	}
	return names
}
