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

// Series calls f for each of the names, and writes the heap after a collection
// to NAME, and the goroutines to NAME.goroutines.
func Series(names []string, f func(step int)) {
	for step, name := range names {
		f(step)
		time.Sleep(50 * time.Millisecond)
		runtime.GC()
		runtime.GC() // the first may have begun before the last objects were made
		write("heap", name)
		write("goroutine", name+".goroutines")
	}
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
