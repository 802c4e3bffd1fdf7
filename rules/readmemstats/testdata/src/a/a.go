package a

import (
	"log"
	"net/http"
	"runtime"
)

func handleRequest(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusNoContent)
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms) // want `runtime.ReadMemStats stops the world, and handleRequest is reached from an HTTP handler`
	record(ms.HeapInuse, ms.HeapAlloc)
}

func record(bytes ...uint64) { log.Print(bytes) }

type server struct{ limit uint64 }

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.full() {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

func (s *server) full() bool {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats) // want `full is reached from an HTTP handler`
	samples := stats.Sys - stats.HeapReleased
	return samples > s.limit
}

// No metric says how long the pauses were: no fix.
func pauses(w http.ResponseWriter, r *http.Request) {
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms) // want `pauses is reached from an HTTP handler`
	log.Print(ms.PauseTotalNs, ms.HeapAlloc)
}

// The whole is kept: no fix.
func kept(w http.ResponseWriter, r *http.Request) *runtime.MemStats {
	ms := new(runtime.MemStats)
	runtime.ReadMemStats(ms) // want `kept is reached from an HTTP handler`
	return ms
}

// Before and after have to fit together: no fix.
func grows(w http.ResponseWriter, r *http.Request) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before) // want `grows is reached`
	w.WriteHeader(http.StatusNoContent)
	runtime.ReadMemStats(&after) // want `grows is reached`
	log.Print(after.TotalAlloc - before.TotalAlloc)
}

// What is read stands outside the block: no fix.
func outside(n int) {
	var ms runtime.MemStats
	for range n {
		runtime.ReadMemStats(&ms) // want `in a loop`
	}
	log.Print(ms.HeapAlloc)
}

// What follows is left alone.

func once() uint64 {
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	return ms.HeapAlloc
}

func main() {
	var ms runtime.MemStats
	defer func() { log.Print(once()) }()
	runtime.ReadMemStats(&ms)
	log.Print(ms.Sys)
}
