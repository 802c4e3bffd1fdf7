package c58

import "unsafe"

// V5 two functions
func text(raw []byte) string { return *(*string)(unsafe.Pointer(&raw)) }

func splitPair(raw []byte) (key, value string) {
	for i, b := range raw {
		if b == ':' {
			return text(raw[:i]), text(raw[i+1:])
		}
	}
	return text(raw), ""
}
