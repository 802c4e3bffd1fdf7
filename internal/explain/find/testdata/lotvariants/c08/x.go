package x

import (
	"fmt"
)

// V4 in generic code
func find[K comparable, E any](m map[K]E, k K) (E, error) {
	v, ok := m[k]
	if !ok {
		return v, fmt.Errorf("no such key")
	}
	return v, nil
}
