package c50

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
)

// V1 renamed
func upload(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	runtime.GC()
}

// V2 method
type h struct{}

func (h) ServeHTTP(w http.ResponseWriter, r *http.Request) { defer runtime.GC(); io.Copy(w, r.Body) }

// V3 closure
func mount(m *http.ServeMux) {
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "ok")
		runtime.GC()
	})
}

// V4 generic
func batches[T any](xs [][]T, f func([]T)) {
	for _, x := range xs {
		f(x)
		runtime.GC()
	}
}

// V5 two functions
func free()                                       { runtime.GC() }
func page(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, 1); free() }
