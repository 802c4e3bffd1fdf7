// Package take writes profiles of a function.
package take

import (
	"log"
	"os"
	"runtime"
	"runtime/pprof"
	"time"
)

// CPU calls f again and again, and writes a CPU profile.
func CPU(name string, f func()) {
	out := create(name)
	check(pprof.StartCPUProfile(out))
	for end := time.Now().Add(1500 * time.Millisecond); time.Now().Before(end); {
		f()
	}
	pprof.StopCPUProfile()
	check(out.Close())
}

// Mutex calls f, and writes what it waited for.
func Mutex(name string, f func()) {
	runtime.SetMutexProfileFraction(1)
	f()
	write("mutex", name)
}

// Goroutines calls f, and writes what goroutines are there when they have come
// to rest.
func Goroutines(name string, f func()) {
	f()
	time.Sleep(100 * time.Millisecond)
	write("goroutine", name)
}

func write(kind, name string) {
	out := create(name)
	check(pprof.Lookup(kind).WriteTo(out, 0))
	check(out.Close())
}

func create(name string) *os.File {
	out, err := os.Create(name)
	check(err)
	return out
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
