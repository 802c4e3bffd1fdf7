package code

import "go/types"

// Boxes reports whether an interface holds values of a type in memory that is
// allocated for each, as runtime/iface.go does it. A constant, and an integer below
// 256, need none whatever their type.
func Boxes(sizes types.Sizes, t types.Type) bool {
	switch t.(type) {
	case *types.TypeParam, *types.Tuple:
		return false
	}
	if types.IsInterface(t) || pointerShaped(t) {
		return false
	}
	return Size(sizes, t) > 1 // not of size zero, nor from the runtime's table of bytes
}

// Size returns the size of a type; where it depends on type parameters, the least that it
// can be: a type parameter counts as the smallest type that it may stand for, and as
// nothing where any type will do.
func Size(sizes types.Sizes, t types.Type) (size int64) {
	if !Generic(t) {
		return sizes.Sizeof(t)
	}
	switch u := t.Underlying().(type) {
	case *types.Interface: // of a type parameter
		return least(sizes, u)
	case *types.Array:
		return u.Len() * Size(sizes, u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			size += Size(sizes, f.Type())
		}
	}
	return size
}

// least returns the size of the smallest type in a constraint, 0 if it lists none.
func least(sizes types.Sizes, constraint *types.Interface) (size int64) {
	for t := range constraint.EmbeddedTypes() {
		in := leastOf(sizes, t)
		if union, ok := t.(*types.Union); ok {
			in = leastOf(sizes, union.Term(0).Type())
			for term := range union.Terms() {
				in = min(in, leastOf(sizes, term.Type()))
			}
		}
		size = max(size, in) // of several sets, the type is in each
	}
	return size
}

// leastOf is least of one type of a constraint, which may be a constraint itself, or hold the parameter that it is of.
func leastOf(sizes types.Sizes, t types.Type) int64 {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return least(sizes, u)
	case *types.Union:
		return 0
	}
	if Generic(t) {
		return 0
	}
	return sizes.Sizeof(t)
}

// Generic reports whether the layout of a type depends on a type parameter.
func Generic(t types.Type) bool {
	return Inside(t, IsTypeParam)
}

// Inside reports whether a condition holds for a type, or for what its values have within themselves: fields of structs
// and elements of arrays.
func Inside(t types.Type, is func(types.Type) bool) bool {
	if is(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return Inside(u.Elem(), is)
	case *types.Struct:
		for f := range u.Fields() {
			if Inside(f.Type(), is) {
				return true
			}
		}
	}
	return false
}

// pointerShaped reports whether an interface holds values of a type as they
// are.
func pointerShaped(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Struct:
		return t.NumFields() == 1 && pointerShaped(t.Field(0).Type())
	case *types.Array:
		return t.Len() == 1 && pointerShaped(t.Elem())
	}
	return false
}
