package c57

import (
	"log/slog"
	"net/http"
	"runtime"
)

// V1 renamed
func mw(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b := make([]byte, 1<<16)
		n := runtime.Stack(b, true)
		slog.Debug("s", "stacks", string(b[:n]))
		next.ServeHTTP(w, r)
	}
}

// V2 method
type s struct{ buf []byte }

func (x *s) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := runtime.Stack(x.buf, true)
	w.Write(x.buf[:n])
}

// V3 closure
func watcher(xs []int) func() {
	return func() {
		buf := make([]byte, 4096)
		for range xs {
			runtime.Stack(buf, true)
		}
	}
}

// V4 generic
func each[T any](xs []T, f func(T, []byte)) {
	for _, x := range xs {
		b := make([]byte, 1024)
		f(x, b[:runtime.Stack(b, true)])
	}
}

// V5 two functions
func all() string                               { b := make([]byte, 1<<20); return string(b[:runtime.Stack(b, true)]) }
func h2(w http.ResponseWriter, r *http.Request) { slog.Debug("req", "all", all()) }
