package boxes

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Value turns errors that are pointers to a small struct into the struct:
// its methods get value receivers, and the package uses values throughout.
var Value = prove.Transformation{
	Name:     "error-value",
	Doc:      "An error that is a pointer to a one-word struct of an unexported type becomes the struct itself, which an interface holds without an allocation where the word is small.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "error-value", "BenchmarkParse", "allocs", "no allocation for values below 256", 0),
	// It looks at the literals on the lines of the target and of the module's
	// frames that allocate.
	Propose: prove.At(func(t model.Target) []model.Pos { return makingPlaces(t) }, func(s *prove.Site) {
		for _, lit := range errorPointers(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeValue(s.Program, s.Fn, lit)
			s.Add(types.ExprString(lit.Type)+" is allocated for each error", ch, why)
		}
	}),
}

// errorPointers returns the literals on a line whose address is an error: of
// struct types of the same package.
func errorPointers(p *prove.Program, fn *prove.Function, line int) []*ast.CompositeLit {
	return pointersTo(p, fn, line, code.ImplementsError)
}

// pointersTo returns the literals on a line whose address is taken and has a type: of struct types of the same package.
func pointersTo(p *prove.Program, fn *prove.Function, line int, is func(ptr types.Type) bool) []*ast.CompositeLit {
	var found []*ast.CompositeLit
	for u := range code.All[*ast.UnaryExpr](fn.Decl.Body) {
		if u.Op != token.AND || !p.Covers(u, line) {
			continue
		}
		lit, ok := ast.Unparen(u.X).(*ast.CompositeLit)
		if !ok || lit.Type == nil || !is(fn.Info().TypeOf(u)) {
			continue
		}
		named, ok := types.Unalias(fn.Info().TypeOf(lit)).(*types.Named)
		if _, isStruct := fn.Info().TypeOf(lit).Underlying().(*types.Struct); ok && isStruct && named.Obj().Pkg() == fn.Obj.Pkg() {
			found = append(found, lit)
		}
	}
	return found
}

func proposeValue(p *prove.Program, fn *prove.Function, lit *ast.CompositeLit) (*model.Change, *prove.Reason) {
	named := types.Unalias(fn.Info().TypeOf(lit)).(*types.Named)
	name, k := named.Obj().Name(), fn.File.Pkg
	if why := inPackageOnly(p, k, named, "its type is exported: callers look for a pointer with errors.As, and would no longer find it"); why != nil {
		return nil, why
	}
	gain, why := valueGain(k, named, fn.Info(), lit)
	if why != nil {
		return nil, why
	}
	if where := anyError.told(p); where != "" {
		return nil, prove.Refuse(where + ": two errors of equal fields would be equal there")
	}
	uses := newPointerUses(p, k, named)
	if why := uses.read(); why != nil {
		return nil, why
	}
	return p.Change(fn, uses.edits, model.Change{
		Kind:  "error-value",
		Title: fmt.Sprintf("%s: return %s by value", k.Name, name),
		Obligations: []model.Obligation{
			{Text: "no code outside the package knows the type", How: "proven", Why: name + " is not exported, and no exported function, variable or field has it in its type"},
			{Text: "the pointer is used for reading only", How: "proven", Why: "every use of it in the package reads a field, calls a method, looks for it in an error, or returns it as one"},
			{Text: "no pointer of the type is nil", How: "proven", Why: "each is made by a literal, and none is compared with nil or made an error where it was not set"},
			{Text: "nobody tells two of these errors apart", How: "assumed", Why: "they become equal when their fields are; no loaded package compares errors but with variables that do not change, " +
				"and package errors has callers ask for those"},
			{Text: "making it an error does not allocate", How: "assumed", Why: gain},
		},
	})
}

// inPackageOnly says why not all code that knows a type is read, and why it can have no other methods.
func inPackageOnly(p *prove.Program, k *prove.Package, named *types.Named, exported string) *prove.Reason {
	name := named.Obj().Name()
	switch {
	case named.TypeArgs().Len() > 0:
		return prove.Refuse("its type is generic")
	case named.Obj().Exported():
		return prove.Refuse(exported)
	case named.Obj().Parent() != named.Obj().Pkg().Scope():
		return prove.Refuse("its type is declared in a function")
	}
	if f := p.IgnoredMention(k, name); f != "" {
		return prove.Refusef("%s, which is not built on this platform, refers to %s", f, name)
	}
	return nil
}

// valueGain says why an interface holds a value of the struct without an
// allocation, or why it does not.
func valueGain(k *prove.Package, named *types.Named, info *types.Info, lit *ast.CompositeLit) (gain string, why *prove.Reason) {
	str := named.Underlying().(*types.Struct)
	size, align := k.TypesSizes.Sizeof(str), k.TypesSizes.Alignof(str)
	word := k.TypesSizes.Sizeof(types.Typ[types.Uintptr])
	pointers := false
	for f := range str.Fields() {
		if f.Embedded() {
			return "", prove.Refuse("it embeds " + f.Name() + ", whose methods depend on the pointer")
		}
		switch t := f.Type().Underlying().(type) {
		case *types.Basic:
			if t.Info()&(types.IsFloat|types.IsComplex) != 0 {
				return "", prove.Refuse(f.Name() + " is a floating-point number: an error that holds NaN would not be equal to itself")
			}
			pointers = pointers || t.Info()&types.IsString != 0 || t.Kind() == types.UnsafePointer
		case *types.Pointer, *types.Chan:
			pointers = true
		default:
			return "", prove.Refusef("%s is of type %s: comparing two such errors may panic or see more than they hold", f.Name(), f.Type())
		}
	}
	switch constant := constantElements(info, lit); {
	case size > maxErrorSize:
		return "", prove.Refusef("it has %d bytes, which are copied with the value", size)
	case size == 0:
		return "", prove.Refuse("it has no size: nothing is allocated for it")
	case constant:
		return "the literal is constant: the compiler lays it out once", nil
	case pointers && size == word && str.NumFields() == 1 && !code.IsString(str.Field(0).Type()):
		return "it is one pointer, which an interface holds as it is", nil
	case !pointers && size <= 8 && size == align:
		return fmt.Sprintf("it has %d bytes without pointers: the runtime has the values below 256 ready; others take as much as before", size), nil
	}
	return "", prove.Refusef("an interface holds its %d bytes by an allocation as well", size)
}

// constantElements reports whether a literal is made of constants.
func constantElements(info *types.Info, lit *ast.CompositeLit) bool {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if info.Types[e].Value == nil && !code.IsNil(info, e) {
			return false
		}
	}
	return true
}
