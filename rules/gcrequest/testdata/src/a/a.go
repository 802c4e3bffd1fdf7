package a

import (
	"net/http"
	"runtime"
)

type server struct{ cache map[string][]byte }

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.evict()
	w.Write(s.cache[r.URL.Path])
}

func (s *server) evict() {
	clear(s.cache)
	runtime.GC() // want `runtime.GC blocks its caller for a whole collection, and evict is reached from an HTTP handler`
}

func batches(all [][]byte, work func([]byte)) {
	for _, b := range all {
		work(b)
		runtime.GC() // want `runtime.GC in a loop`
	}
}

func step(work func()) {
	work()
	runtime.GC() // want `step is called in a loop at a.go:34`
}

func steps(work func()) {
	for range 10 {
		step(work)
	}
}

func routes(mux *http.ServeMux) {
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		runtime.GC() // want `runtime.GC blocks its caller for a whole collection, and routes is reached from an HTTP handler`
	})
}

// What follows is left alone.

func load(read func()) {
	read()
	runtime.GC() // once, after start-up
}

func live(work func()) (peak uint64) {
	for range 10 {
		work()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	return peak
}

func start(w http.ResponseWriter, r *http.Request) {
	stop = func() {
		runtime.GC() // whenever it is called
	}
}

var stop func()

func debug(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("gc") != "" {
		runtime.GC() // asked for
	}
}

func main() {
	load(func() {})
	for _, f := range []func(){func() { println() }} {
		f()
	}
	go func() {
		for i := 0; i < 3; i++ {
			func() { println(i) }()
		}
	}()
}
