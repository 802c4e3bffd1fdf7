package code

import (
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// Deep returns what is returns for a type. With in, is asks the same about a type that this one leads to. As types may refer to
// themselves, is sees each once: in returns again for one that is still being looked into, and false for one that has been.
func Deep(t types.Type, again bool, is func(t types.Type, in func(types.Type) bool) bool) bool {
	var open typeutil.Map
	var in func(types.Type) bool
	in = func(t types.Type) bool {
		if inside := open.At(t); inside != nil {
			return again && inside.(bool)
		}
		open.Set(t, true)
		found := is(t, in)
		open.Set(t, false)
		return found
	}
	return in(t)
}

// Leads reports whether a type is as asked, or leads to such a one as package reflect would find it: by pointers, elements, keys
// and fields, and not by what functions take and return, or by values of any type.
func Leads(t types.Type, is func(types.Type) bool) bool {
	return Deep(t, false, func(at types.Type, in func(types.Type) bool) bool {
		switch u := at.Underlying().(type) {
		case *types.Interface, *types.Signature:
			return is(at)
		default:
			return is(at) || Parts(u, in)
		}
	})
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
