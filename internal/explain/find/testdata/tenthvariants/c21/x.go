package c21

import (
	"cmp"
	"reflect"
	"slices"
)

// V1 generic, in a comparison that is a closure
func SortBy[T any](rows []T, column string, descending bool) {
	slices.SortStableFunc(rows, func(a, b T) int {
		va := reflect.ValueOf(a).FieldByName(column)
		vb := reflect.ValueOf(b).FieldByName(column)
		order := cmp.Compare(va.String(), vb.String())
		if descending {
			return -order
		}
		return order
	})
}
