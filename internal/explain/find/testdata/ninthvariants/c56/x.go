package c56

import (
	"fmt"
	"net/http"
	"runtime"
)

// V1 closure
func Serve(mux *http.ServeMux) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "heap_bytes %d\n", heap())
	})
}
