package c06

import "fmt"

// V4 generic

type cache[ID ~int64 | ~uint64, V any] struct {
	tenant  string
	entries map[string]V
}

func (c *cache[ID, V]) lookup(kind string, id ID) (V, bool) {
	v, ok := c.entries[fmt.Sprintf("%s/%s/%d", c.tenant, kind, id)]
	return v, ok
}
