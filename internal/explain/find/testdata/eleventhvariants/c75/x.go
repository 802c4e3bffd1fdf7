package c75

import "strings"

// V4 generic

type handler[R any] func(id string) R

type table[R any] struct {
	byResource map[string]handler[R]
	missing    R
}

func (t *table[R]) dispatch(path string) R {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(segments) < 2 {
		return t.missing
	}
	h, ok := t.byResource[segments[0]]
	if !ok {
		return t.missing
	}
	return h(segments[1])
}
