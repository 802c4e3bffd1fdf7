package c56

import (
	"fmt"
	"net/http"
	"runtime"
	"strconv"
)

// V1 renamed
func report(w http.ResponseWriter, req *http.Request) {
	var st runtime.MemStats
	runtime.ReadMemStats(&st)
	fmt.Fprintln(w, st.HeapAlloc)
}

// V2 method
type mon struct{ last uint64 }

func (m *mon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ms := new(runtime.MemStats)
	runtime.ReadMemStats(ms)
	m.last = ms.HeapInuse
}

// V3 closure
func withMem(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		var ms runtime.MemStats
		runtime.ReadMemStats(&ms)
		w.Header().Set("X-Heap", strconv.FormatUint(ms.HeapAlloc, 10))
	})
}

// V4 generic
func Track[T any](items []T, f func(T)) (peak uint64) {
	for _, it := range items {
		f(it)
		var ms runtime.MemStats
		runtime.ReadMemStats(&ms)
		peak = max(peak, ms.HeapAlloc)
	}
	return peak
}

// V5 two functions
func heap() uint64 {
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	return ms.HeapInuse
}
func do(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%d", heap()) }
