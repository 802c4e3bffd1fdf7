// Package evidence answers requests and says how large the heap is.
package evidence

import (
	"net/http"
	"runtime"
	"strconv"
)

// Handle greets and returns the bytes of the heap's objects.
func Handle(w http.ResponseWriter, r *http.Request) uint64 {
	_, _ = w.Write(strconv.AppendQuote(nil, r.URL.Path))
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	return ms.HeapAlloc
}
