package c75

import (
	"strings"
)

// V1 renamed
func user(addr string) string {
	p := strings.Split(addr, "@")
	return p[0]
}

// V2 method
type rt struct{}

func (rt) split(path string) (a, b string) {
	seg := strings.Split(path, "/")
	if len(seg) >= 2 {
		return seg[0], seg[1]
	}
	return seg[0], ""
}

// V3 closure
func lang(def string) func(string) string {
	return func(h string) string {
		if l := strings.Split(h, ","); len(l) > 0 && l[0] != "" {
			return l[0]
		}
		return def
	}
}

// V4 generic
func kind[S ~string](s S) string { return strings.Split(string(s), ":")[0] }

// V5 two functions
func segs(p string) []string { return strings.Split(p, "/") }
func route(p string) string {
	s := segs(p)
	if len(s) < 2 {
		return ""
	}
	return s[1]
}
