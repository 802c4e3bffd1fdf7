package c56

import (
	"net/http"
	"runtime"
)

// V1 two functions, in a deferred closure of a handler
type Traced struct {
	next   http.Handler
	record func(path string, heap uint64)
}

func (t *Traced) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() { t.record(r.URL.Path, heapInUse()) }()
	t.next.ServeHTTP(w, r)
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}
