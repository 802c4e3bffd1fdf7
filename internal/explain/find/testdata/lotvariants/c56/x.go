package x

import (
	"fmt"
	"net/http"
	"runtime"
)

// V3 in a closure
func routes(mux *http.ServeMux) {
	mux.HandleFunc("/stats", func(w http.ResponseWriter, r *http.Request) {
		heap := func() uint64 {
			var st runtime.MemStats
			runtime.ReadMemStats(&st)
			return st.HeapAlloc
		}
		fmt.Fprintln(w, heap())
	})
}
