package c56

import (
	"fmt"
	"net/http"
	"runtime"
)

// V2 method

type gateway struct {
	next http.Handler
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	w.Header().Set("X-Heap-Bytes", fmt.Sprint(stats.HeapAlloc))
	g.next.ServeHTTP(w, r)
}
