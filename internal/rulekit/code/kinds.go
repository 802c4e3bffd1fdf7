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
