// Package evidence compares labels.
package evidence

import "slices"

// Same reports whether two lists of labels are the same.
func Same(a, b []string) bool {
	return (a == nil) == (b == nil) && slices.Equal(a, b)
}
