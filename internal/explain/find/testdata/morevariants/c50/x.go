package c50

import (
	"io"
	"net/http"
	"runtime"
)

// V1 renamed
func onUpload(w http.ResponseWriter, req *http.Request) {
	io.Copy(io.Discard, req.Body)
	runtime.GC()
}

// V2 method
type rest struct{}

func (rest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer runtime.GC()
	w.WriteHeader(200)
}

// V3 closure
func route(mux *http.ServeMux) {
	mux.HandleFunc("/x", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("ok"))
		runtime.GC()
	})
}

// V4 generic
func Each[T any](xs []T, f func(T)) {
	for _, x := range xs {
		f(x)
		runtime.GC()
	}
}

// V5 two functions
func tidy() { runtime.GC() }
func page(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(200)
	tidy()
}
