// Package evidence lists names.
package evidence

import (
	"maps"
	"slices"
	"strings"
)

// Names returns the names of a set, with commas between.
func Names(set map[string]bool) string {
	return strings.Join(slices.AppendSeq(make([]string, 0, len(set)), maps.Keys(set)), ",")
}
