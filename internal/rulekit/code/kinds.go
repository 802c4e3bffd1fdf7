package code

import (
	"go/types"
	"strings"
)

// IsError reports whether t is the type error itself.
func IsError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// IsInteger reports whether t is an integer, under whatever name.
func IsInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// IsBytes reports whether t is a slice of bytes, under whatever name.
func IsBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
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
