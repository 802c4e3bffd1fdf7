package boxes

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Carrier turns pointers to a struct of one pointer, which are there to be put into an interface, into the struct.
var Carrier = prove.Transformation{
	Name:     "carrier-value",
	Doc:      "A pointer to a struct of one pointer or map, of an unexported type, that is put into an interface for its methods becomes the struct itself. An interface holds that without an allocation.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "carrier-value", "BenchmarkRender", "allocs", "nothing is allocated for what carries a map", 0),
	// It looks at the literals on the lines of the target and of its flow to the heap.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for _, lit := range pointersTo(s.Program, s.Fn, s.At.Line, hasMethods) {
			if one := pointerField(s.Fn.Info().TypeOf(lit)); one != nil {
				ch, why := proposeCarrier(s.Program, s.Fn, lit, one)
				s.Add(types.ExprString(lit.Type)+" is allocated, though it is one pointer", ch, why)
			}
		}
	}),
}

// hasMethods reports whether a type has methods and is no error, which error-value is for.
func hasMethods(t types.Type) bool {
	return types.NewMethodSet(t).Len() > 0 && !code.ImplementsError(t)
}

// pointerField returns the one field of a struct that is a pointer to the machine; nil where there is more, or something else.
func pointerField(t types.Type) *types.Var {
	str, ok := t.Underlying().(*types.Struct)
	if !ok || str.NumFields() != 1 {
		return nil
	}
	switch str.Field(0).Type().Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return str.Field(0)
	}
	return nil
}

func proposeCarrier(p *prove.Program, fn *prove.Function, lit *ast.CompositeLit, one *types.Var) (*model.Change, *prove.Reason) {
	named, k := types.Unalias(fn.Info().TypeOf(lit)).(*types.Named), fn.File.Pkg
	name := named.Obj().Name()
	if why := inPackageOnly(p, k, named, "its type is exported: others may look for a pointer"); why != nil {
		return nil, why
	}
	if _, pointer := one.Type().(*types.Pointer); one.Embedded() && !pointer {
		return nil, prove.Refuse("it embeds " + one.Name() + ", whose methods depend on the pointer")
	}
	uses := newPointerUses(p, k, named)
	uses.kind = boxed{of: named, one: "a " + name, many: "values like " + name, in: func(t types.Type) bool {
		in, ok := t.Underlying().(*types.Interface)
		return ok && in.NumMethods() > 0 && types.Implements(uses.ptr, in) || types.Identical(t, uses.ptr)
	}}
	if where := uses.kind.told(p); where != "" {
		return nil, prove.Refuse(where + ": two of equal fields would be equal there, or could not be compared")
	}
	if why := uses.read(); why != nil {
		return nil, why
	}
	if _, pointer := one.Type().Underlying().(*types.Pointer); !pointer {
		if where := uses.stored(); where != "" {
			return nil, prove.Refuse("it is stored at " + where + ", where it may be compared: a " + one.Type().Underlying().String() + " cannot be")
		}
	}
	return p.Change(fn, uses.edits, model.Change{
		Kind:  "carrier-value",
		Title: fmt.Sprintf("%s: put %s into interfaces by value", k.Name, name),
		Obligations: []model.Obligation{
			{Text: "no code outside the package knows the type", How: "proven", Why: name + " is not exported, and no exported function, variable or field has it in its type"},
			{Text: "the pointer is used for reading only", How: "proven", Why: "every use of it in the package reads its field, calls a method, or puts it into an interface that has methods"},
			{Text: "no pointer of the type is nil", How: "proven", Why: "each is made by a literal, and none is compared with nil or put into an interface where it was not set"},
			{Text: "nobody tells two of them apart, or prints one", How: "assumed", Why: "no loaded package compares values of such an interface, nor makes them values of any type"},
			{Text: "an interface holds it without an allocation", How: "proven", Why: "it is one pointer, which an interface holds as it is"},
		},
	})
}

// stored returns where a value is given to something other than a call, "" if it is not.
func (u *pointerUses) stored() string {
	for _, f := range u.k.Files {
		for lit := range code.All[*ast.CompositeLit](f.Syntax) {
			if t, ok := types.Unalias(u.k.TypesInfo.TypeOf(lit)).(*types.Named); !ok || t != u.named {
				continue
			}
			switch up := parentOf(f, parentOf(f, lit)).(type) {
			case *ast.CallExpr:
				if !u.k.TypesInfo.Types[up.Fun].IsType() && code.Builtin(u.k.TypesInfo, up) == "" {
					continue
				}
			case *ast.ValueSpec:
				if len(up.Names) == 1 && up.Names[0].Name == "_" {
					continue
				}
			}
			return u.p.Pos(lit.Pos()).String()
		}
	}
	return ""
}
