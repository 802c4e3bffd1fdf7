package c06

import (
	"fmt"
)

// V1 renamed
func cacheKey(tenant string, page int) string {
	return fmt.Sprintf("t=%s&p=%d", tenant, page)
}

// V2 method
type point struct{ x, y int }

func (p point) label() string { return fmt.Sprintf("(%d,%d)", p.x, p.y) }

// V3 closure
func namer(prefix string) func(int) string {
	return func(n int) string { return fmt.Sprintf("%s-%d", prefix, n) }
}

// V4 generic
func Keyed[T any](name string, n int, v T) (string, T) {
	return fmt.Sprintf("%s:%d", name, n), v
}

// V5 two functions
func describe(host string, port int) string { return join(host, port) }
func join(a string, b int) string           { return fmt.Sprintf("%s:%d", a, b) }
