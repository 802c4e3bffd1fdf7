package c56

import (
	"fmt"
	"net/http"
	"runtime"
	"sync/atomic"
)

// V1 across two functions

type statusPage struct {
	served atomic.Int64
}

func heapInUse() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapInuse
}

func (s *statusPage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	fmt.Fprintf(w, "app_requests_total %d\n", s.served.Load())
	fmt.Fprintf(w, "app_heap_inuse_bytes %d\n", heapInUse())
}
