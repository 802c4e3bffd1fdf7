package c57

import (
	"net/http"
	"runtime"
)

// V3 closure
func trace(next http.Handler, keep func([]byte)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := make([]byte, 64<<10)
		keep(b[:runtime.Stack(b, true)])
		next.ServeHTTP(w, r)
	})
}
