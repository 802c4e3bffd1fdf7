package prove

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// InTime is the obligation that a new package variable has its value before it is asked for; Change looks for what it names.
func InTime() model.Obligation {
	return model.Obligation{Text: "it is there before its first use", How: "assumed",
		Why: "it depends on no variable: the language makes it before those whose values call the function; no other way leads from these to it but by what is outside of the module"}
}

// unready returns a new package variable that may be asked for before it has its value, "" if there is none. The language gives
// it one before the variables whose values mention what asks for it. It does not see what a call by way of an interface or a
// function value in such a value leads to.
func (p *Calls) unready(k *Package, files []*ast.File, after []*types.Initializer) string {
	known := map[string][]*types.Initializer{} // several blank ones may have one value
	for _, one := range k.TypesInfo.InitOrder {
		key := strings.Join(initialized([]*types.Initializer{one}), ", ")
		known[key] = append(known[key], one)
	}
	var first []*types.Initializer
	for _, one := range after {
		names := initialized([]*types.Initializer{one})
		if old := known[strings.Join(names, ", ")]; old != nil {
			first = append(first, old...)
			continue
		}
		if len(first) == 0 || laidOut(one.Rhs) {
			continue
		}
		for _, name := range names {
			for _, asks := range p.mentioning(k, files, name) {
				if slices.ContainsFunc(first, func(early *types.Initializer) bool { return p.leads(k, early.Rhs, asks) }) {
					return name
				}
			}
		}
	}
	return ""
}

// laidOut reports whether the compiler lays a value out, so that it is there from the beginning.
func laidOut(value ast.Expr) bool {
	made := code.Here(value, func(n ast.Expr) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			_, bytes := n.Fun.(*ast.ArrayType)
			return !bytes
		case *ast.CompositeLit:
			_, entries := n.Type.(*ast.MapType)
			return entries
		}
		return false
	})
	return made == nil
}

// mentioning returns the functions of a package that mention a name in edited files, and those that call a new one which does.
func (p *Calls) mentioning(k *Package, files []*ast.File, name string) (found []string) {
	for names, more := map[string]bool{name: true}, true; more; {
		more, found = false, nil
		for _, f := range files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || !code.Any(fn, func(id *ast.Ident) bool { return names[id.Name] && id != fn.Name }) {
					continue
				}
				if old := p.declared(k, fn); old != nil {
					found = append(found, old.Obj.FullName())
				} else if !names[fn.Name.Name] {
					names[fn.Name.Name], more = true, true
				}
			}
		}
	}
	return found
}

// declared returns the function of a package that an edited declaration is of, nil for a new one.
func (p *Calls) declared(k *Package, edited *ast.FuncDecl) *Function {
	receiver := func(d *ast.FuncDecl) string {
		if d.Recv == nil {
			return ""
		}
		return types.ExprString(d.Recv.List[0].Type)
	}
	for _, fn := range p.Funcs {
		if fn.File.Pkg == k && fn.Decl.Name.Name == edited.Name.Name && receiver(fn.Decl) == receiver(edited) {
			return fn
		}
	}
	return nil
}

// leads reports whether working out the value of a package variable may run a function.
func (p *Calls) leads(k *Package, value ast.Expr, to string) bool {
	if code.Here(value, func(*ast.CallExpr) bool { return true }) == nil {
		return false
	}
	back, _ := p.Reaches(p.EdgesIn(&Function{File: k.Files[0]}, value), to)
	return back
}
