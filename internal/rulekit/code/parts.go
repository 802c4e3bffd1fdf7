package code

import (
	"go/types"
	"slices"
)

// OneOf reports whether a list has a type that is identical to t. What walks behind declared types
// needs that to end, as types may refer to themselves, those of type parameters by another pointer.
func OneOf(list []types.Type, t types.Type) bool {
	return slices.ContainsFunc(list, func(u types.Type) bool { return types.Identical(u, t) })
}

// Parts reports whether one of the types that a type is written with is as asked: what it stands
// for, its elements and keys, fields, parameters, methods and type arguments. It looks neither
// into these nor behind declared types.
func Parts(t types.Type, is func(types.Type) bool) bool {
	switch t := t.(type) {
	case *types.Alias:
		return is(types.Unalias(t))
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if is(a) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		m, isMap := t.(*types.Map)
		return is(t.Elem()) || isMap && is(m.Key())
	case *types.Signature:
		return Parts(t.Params(), is) || Parts(t.Results(), is)
	case *types.Tuple:
		for v := range t.Variables() {
			if is(v.Type()) {
				return true
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if is(f.Type()) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if is(m.Type()) {
				return true
			}
		}
		for e := range t.EmbeddedTypes() {
			if is(e) {
				return true
			}
		}
	}
	return false
}
