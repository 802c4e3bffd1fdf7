package prove

import (
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// EachUse calls look for each expression that is the variable v, which fn mentions, with what stands around it: in fn
// for a local one, and else in everything loaded and in the tests of fn's package. A field is a selection there,
// or a name where it is declared or a literal gives it a value. It stops at the first reason.
func (p *Surroundings) EachUse(fn *Function, v *types.Var, look func(f *File, info *types.Info, e ast.Expr, up ast.Node) *Reason) (why *Reason) {
	in := func(f *File, info *types.Info, n ast.Node) {
		for id := range code.All[*ast.Ident](n) {
			if obj := info.ObjectOf(id); why != nil || obj == nil || obj.Pos() != v.Pos() {
				continue
			}
			e, up := ast.Expr(id), f.Parent(id)
			if sel, ok := up.(*ast.SelectorExpr); ok && sel.Sel == id {
				e, up = sel, f.Parent(sel)
			}
			why = look(f, info, e, up)
		}
	}
	if code.Local(v) {
		in(fn.File, fn.Info(), fn.Decl)
		return why
	}
	p.EachFile(fn.File.Pkg, func(f *File, info *types.Info) { in(f, info, f.Syntax) })
	return why
}

// Hidden says why code that EachUse does not come to may use a variable or field, or notice another type or value of
// it. For a field it returns the first place that copies a value of its struct, "" if there is none.
func (p *Surroundings) Hidden(fn *Function, v *types.Var) (copied string, why *Reason) {
	pkg := fn.File.Pkg
	switch {
	case code.Local(v):
		return "", nil
	case v.Pkg() == nil || v.Pkg().Path() != pkg.PkgPath:
		return "", Refuse(v.Name() + " is another package's")
	case v.Exported() && pkg.Name != "main":
		return "", Refuse(v.Name() + " is exported: another package may use it")
	case Promoting(v) != nil:
		return "", Promoting(v)
	case v.Exported() && v.IsField():
		return "", Refuse(v.Name() + " is exported: package json and its like come to it from whatever leads to its struct")
	}
	if f := p.IgnoredMention(pkg, v.Name()); f != "" {
		return "", Refusef("%s, which is not built on this platform, refers to %s", f, v.Name())
	}
	if !v.IsField() {
		return "", nil
	}
	owner := OwnerOf(v)
	if owner == nil {
		return "", Refuse(v.Name() + " is a field of no declared type without type parameters")
	}
	uses := p.structUses(pkg, owner)
	return uses.Copied, uses.Why
}

// Promoting says why code uses a variable without its name, as it is an embedded field; nil where it is none.
func Promoting(v *types.Var) *Reason {
	if !v.Embedded() {
		return nil
	}
	return Refuse(v.Name() + " is embedded: what it promotes is used without its name")
}

// OwnerOf returns the declared struct that a field belongs to, nil if there is none that is not generic.
func OwnerOf(field *types.Var) *types.Named {
	scope := field.Pkg().Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		named := tn.Type().(*types.Named)
		str, ok := named.Underlying().(*types.Struct)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		for f := range str.Fields() {
			if f == field {
				return named
			}
		}
	}
	return nil
}
