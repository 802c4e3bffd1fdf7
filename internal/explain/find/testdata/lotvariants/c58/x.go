package x

import (
	"unsafe"
)

// V5 across two functions
func key(m map[string]int, b []byte) int { return m[view(b)] }
func view(b []byte) string               { return *(*string)(unsafe.Pointer(&b)) }
