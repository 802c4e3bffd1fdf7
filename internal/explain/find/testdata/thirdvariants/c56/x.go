package c56

import (
	"net/http"
	"runtime"
	"strconv"
)

// V5 two functions
func heap() uint64 {
	m := new(runtime.MemStats)
	runtime.ReadMemStats(m)
	return m.HeapAlloc
}

func page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("X-Heap", strconv.FormatUint(heap(), 10))
}

func init() { http.HandleFunc("/", page) }
