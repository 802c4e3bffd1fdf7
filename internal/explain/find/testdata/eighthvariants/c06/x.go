package c06

import "fmt"

// V1 generic
type ID interface{ ~int64 | ~int32 }

func CacheKey[T ID](kind string, id T, page int) string {
	return fmt.Sprintf("%s:%d:%d", kind, id, page)
}

// V2 two functions
type store struct{ data map[string]string }

func key(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func (s *store) Lookup(user string, n int) string {
	return s.data[key("u/%s/%d", user, n)]
}
