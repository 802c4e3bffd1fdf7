// Package evidence compares labels.
package evidence

import "reflect"

// Same reports whether two lists of labels are the same.
func Same(a, b []string) bool {
	return reflect.DeepEqual(a, b)
}
