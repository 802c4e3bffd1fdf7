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
	return sizes.Sizeof(t) > 1 // not of size zero, nor from the runtime's table of bytes
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
