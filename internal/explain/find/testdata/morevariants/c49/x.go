package c49

import (
	"net/http"
	"runtime"
	"runtime/debug"
	"time"
)

func load() []byte { return make([]byte, 1<<20) }

// V1 renamed
func nightly() {
	for {
		d := load()
		_ = d
		runtime.GC()
		debug.FreeOSMemory()
		time.Sleep(time.Hour)
	}
}

// V2 method
type ingest struct{ n int }

func (i *ingest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.n += len(load())
	debug.FreeOSMemory()
}

// V3 closure
func batcher() func([]string) {
	return func(fs []string) {
		for range fs {
			load()
			debug.FreeOSMemory()
		}
	}
}

// V4 generic
func Batch[T any](items []T, f func(T)) {
	for _, it := range items {
		f(it)
		debug.FreeOSMemory()
	}
}

// V5 two functions
func release() { debug.FreeOSMemory() }
func batches(n int) {
	for i := 0; i < n; i++ {
		load()
		release()
	}
}
