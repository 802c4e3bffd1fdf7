package x

import (
	"strings"
)

// V3 in a closure
func cleaner() func(string) string {
	return func(s string) string {
		return strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;").Replace(s)
	}
}
