package c49

import (
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
)

// V1 renamed
func drop(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body); debug.FreeOSMemory() }

// V2 method
type imp struct{}

func (i *imp) run(files []string, load func(string)) {
	for _, f := range files {
		load(f)
		debug.FreeOSMemory()
	}
}

// V3 closure
func routes(m *http.ServeMux) {
	m.HandleFunc("/gc", func(w http.ResponseWriter, r *http.Request) { debug.FreeOSMemory() })
}

// V4 generic
func each[T any](xs []T, f func(T)) {
	for _, x := range xs {
		f(x)
		runtime.GC()
		debug.FreeOSMemory()
	}
}

// V5 two functions
func trim() { debug.FreeOSMemory() }
func chunks(n int, f func(int)) {
	for i := range n {
		f(i)
		trim()
	}
}
