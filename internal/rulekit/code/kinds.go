package code

import (
	"go/types"
	"slices"
	"strings"
)

// IsError reports whether t is the type error itself.
func IsError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// IsAny reports whether t is an interface without methods, under whatever name, or a type parameter that may be any type.
func IsAny(t types.Type) bool {
	if t == nil {
		return false
	}
	of, ok := t.Underlying().(*types.Interface)
	return ok && of.Empty()
}

// IsTypeParam reports whether t is a type parameter.
func IsTypeParam(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return param
}

// Parameterized reports whether a type is built of type parameters. What methods of an interface take is not asked.
func Parameterized(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Tuple:
		return slices.ContainsFunc(slices.Collect(t.Variables()), func(v *types.Var) bool { return Parameterized(v.Type()) })
	case *types.Signature:
		return Parameterized(t.Params()) || Parameterized(t.Results())
	case *types.Named:
		return slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), Parameterized)
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(t.Fields()), func(f *types.Var) bool { return Parameterized(f.Type()) })
	case *types.Map:
		return Parameterized(t.Key()) || Parameterized(t.Elem())
	case interface{ Elem() types.Type }:
		return Parameterized(t.Elem())
	}
	return false
}

// Exact reports whether values of a type that equal each other are the same: no floats, which have two zeros.
func Exact(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsInteger|types.IsBoolean|types.IsString) != 0
	case *types.Pointer:
		return true
	}
	return false
}

// ImplementsError reports whether values of a type are errors.
func ImplementsError(t types.Type) bool {
	return t != nil && types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// Reflexive reports whether each value of a type equals itself, of whatever type a parameter is: NaN does not.
func Reflexive(t types.Type) bool {
	return !Inside(t, func(t types.Type) bool {
		if kinds := Kinds(t); IsTypeParam(t) && len(kinds) > 0 {
			return slices.ContainsFunc(kinds, func(t types.Type) bool { return Generic(t) || !Reflexive(t) }) // may hold itself
		}
		switch t := t.Underlying().(type) {
		case *types.Basic:
			return t.Info()&(types.IsFloat|types.IsComplex) != 0
		case *types.Pointer, *types.Chan, *types.Array, *types.Struct:
			return false
		}
		return true
	})
}

// IsInteger reports whether t is an integer, under whatever name.
func IsInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// NumberSize returns how many bytes package binary makes of a number or bool, under whatever
// name; 0 for what is none, or has no fixed size there.
func NumberSize(t types.Type) int {
	if t == nil {
		return 0
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 0
	}
	switch b.Kind() {
	case types.Int8, types.Uint8, types.Bool:
		return 1
	case types.Int16, types.Uint16:
		return 2
	case types.Int32, types.Uint32, types.Float32:
		return 4
	case types.Int64, types.Uint64, types.Float64:
		return 8
	}
	return 0
}

// IsBytes reports whether t is a slice of byte itself, under whatever name.
func IsBytes(t types.Type) bool {
	if t == nil {
		return false
	}
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Byte])
}

// Core returns the underlying type of t, and of a type parameter that stands for one kind of
// type, such as ~[]E, that of this kind. Of one that stands for several it is the constraint.
func Core(t types.Type) types.Type {
	set, ok := t.Underlying().(*types.Interface)
	if !ok || !IsTypeParam(t) {
		return t.Underlying()
	}
	if all := Kinds(t); len(all) > 0 && !slices.ContainsFunc(all, func(u types.Type) bool { return !types.Identical(u, all[0]) }) {
		return all[0]
	}
	return set
}

// Kinds returns the underlying types of all types that a type parameter may stand for, or of more; of any other type its own.
// It is nil for a parameter that lists none, such as any or comparable, and for a nil type, as expressions have in code that does
// not compile.
func Kinds(t types.Type) []types.Type {
	if t == nil {
		return nil
	}
	set, ok := t.Underlying().(*types.Interface)
	if !ok || !IsTypeParam(t) {
		return []types.Type{t.Underlying()}
	}
	return listed(set)
}

// May reports whether a value of a type may be of a kind: a type parameter may list several.
func May[K types.Type](t types.Type) bool {
	return slices.ContainsFunc(Kinds(t), func(t types.Type) bool { _, ok := t.(K); return ok })
}

// listed returns what one of the parts of a constraint lists: each part only takes types away.
func listed(set *types.Interface) []types.Type {
	for part := range set.EmbeddedTypes() {
		var all []types.Type
		union, ok := types.Unalias(part).(*types.Union)
		if !ok {
			union = types.NewUnion([]*types.Term{types.NewTerm(false, part)})
		}
		for term := range union.Terms() {
			kinds := []types.Type{term.Type().Underlying()}
			if of, ok := kinds[0].(*types.Interface); ok {
				kinds = listed(of)
			}
			if all = append(all, kinds...); len(kinds) == 0 {
				all = nil // any type
				break
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// Pointee returns what a pointer points to, and any other type as it is.
//
//go:noinline
func Pointee(t types.Type) types.Type {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// Set returns the words of the lists, for tables of names.
func Set(lists ...string) map[string]bool {
	m := make(map[string]bool)
	for _, list := range lists {
		for word := range strings.FieldsSeq(list) {
			m[word] = true
		}
	}
	return m
}
