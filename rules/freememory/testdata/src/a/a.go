package a

import (
	"net/http"
	"runtime"
	"runtime/debug"
)

type server struct{ cache map[string][]byte }

func daily(load func() []byte, process func([]byte)) {
	data := load()
	process(data)
	data = nil
	runtime.GC() // want `runtime.GC right before debug.FreeOSMemory, which collects itself`
	debug.FreeOSMemory()
}

func batches(all [][]byte, work func([]byte)) {
	for _, b := range all {
		work(b)
		debug.FreeOSMemory() // want `debug.FreeOSMemory in a loop collects, and gives back what the next iteration needs`
	}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	clear(s.cache)
	s.shrink()
}

func (s *server) shrink() {
	debug.FreeOSMemory() // want `gives back what is needed again soon, and shrink is reached from an HTTP handler`
}

func each[T any](all []T, work func(T)) {
	for _, x := range all {
		one(x, work)
	}
}

func one[T any](x T, work func(T)) {
	work(x)
	debug.FreeOSMemory() // want `and one is called in a loop at a.go:37`
}

func closure(all []func()) {
	for _, f := range all {
		func() {
			f()
			runtime.GC()         // want `runtime.GC right before`
			debug.FreeOSMemory() // want `in a loop collects`
		}()
	}
}

func closures(all [][]func()) {
	for _, fs := range all {
		closure(fs)
	}
}

// What follows is left alone.

func once(load func()) {
	load()
	debug.FreeOSMemory() // at the end of a batch
}

func between(load, use func()) {
	load()
	runtime.GC()
	use()
	debug.FreeOSMemory()
}

func asked(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("free") != "" {
		debug.FreeOSMemory()
	}
}

func start(w http.ResponseWriter, r *http.Request) {
	stop = func() { debug.FreeOSMemory() } // whenever it is called
}

var stop func()
