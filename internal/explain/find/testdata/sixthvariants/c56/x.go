package c56

import (
	"net/http"
	"runtime"
	"sync/atomic"
	"time"
)

// V1 closure, loop over ticks
func Watch(every time.Duration, gauge *atomic.Uint64) {
	go func() {
		var m runtime.MemStats
		for range time.Tick(every) {
			runtime.ReadMemStats(&m)
			gauge.Store(m.HeapInuse)
		}
	}()
}

// V2 two functions
func heap() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

type limiter struct {
	max  uint64
	next http.Handler
}

func (l *limiter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if heap() > l.max {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	l.next.ServeHTTP(w, r)
}
