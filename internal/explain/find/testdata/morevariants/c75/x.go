package c75

import (
	"io"
	"net/http"
	"strings"
)

// V1 renamed
func owner(path string) (string, string) {
	segs := strings.Split(path, "/")
	if len(segs) < 2 {
		return segs[0], ""
	}
	return segs[0], segs[1]
}

// V2 method
type router struct{}

func (router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if len(parts) == 0 || parts[0] == "" {
		http.NotFound(w, r)
		return
	}
	io.WriteString(w, parts[0])
}

// V3 closure
func keyOf() func(string) string {
	return func(s string) string { return strings.Split(s, "=")[0] }
}

// V4 generic
func Head[S ~string](s S) string { return strings.Split(string(s), ":")[0] }

// V5 two functions
func segments(p string) []string { return strings.Split(p, "/") }
func resource(p string) string {
	ss := segments(p)
	if len(ss) < 2 {
		return ""
	}
	return ss[1]
}
