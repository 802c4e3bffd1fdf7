package c56

import (
	"fmt"
	"net/http"
	"runtime"
	"time"
)

// V1 renamed
func mem(w http.ResponseWriter, r *http.Request) {
	m := runtime.MemStats{}
	runtime.ReadMemStats(&m)
	fmt.Fprintln(w, m.HeapAlloc)
}

// V2 method
type mon struct{ g func(uint64) }

func (m *mon) loop() {
	for range time.Tick(time.Second) {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		m.g(s.Mallocs)
	}
}

// V3 closure
func stats(mux *http.ServeMux) {
	mux.HandleFunc("/m", func(w http.ResponseWriter, r *http.Request) {
		var ms runtime.MemStats
		runtime.ReadMemStats(&ms)
		fmt.Fprint(w, ms.Sys)
	})
}

// V4 generic
func timed[T any](xs []T, f func(T)) (peak uint64) {
	var ms runtime.MemStats
	for _, x := range xs {
		f(x)
		runtime.ReadMemStats(&ms)
		peak = max(peak, ms.HeapInuse)
	}
	return
}

// V5 two functions
func heap() uint64                                { var m runtime.MemStats; runtime.ReadMemStats(&m); return m.HeapInuse }
func show(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, heap()) }
