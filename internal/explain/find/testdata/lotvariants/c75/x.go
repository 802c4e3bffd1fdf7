package x

import (
	"strings"
)

// V5 across two functions
func scheme(ref string) string   { return pieces(ref)[0] }
func pieces(ref string) []string { return strings.Split(ref, "://") }
