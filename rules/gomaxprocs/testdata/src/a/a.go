// Package a has a number that the machine gives, in several forms; more
// than one call sets it, so that there is no fix.
package a

import "runtime"

const spare = 1

func all() {
	runtime.GOMAXPROCS(runtime.NumCPU()) // want `the number of the machine's processors`
}

func most() {
	n := runtime.NumCPU() - spare
	runtime.GOMAXPROCS(max(n, 1)) // want `the number of the machine's processors`
}

func half() {
	_ = runtime.GOMAXPROCS(int(runtime.NumCPU() / 2)) // want `the number of the machine's processors`
}

func raise() {
	if cpus := runtime.NumCPU(); runtime.GOMAXPROCS(0) < cpus {
		runtime.GOMAXPROCS(cpus) // want `the number of the machine's processors`
	}
}

var start = func() {
	runtime.GOMAXPROCS(2 * runtime.NumCPU()) // want `the number of the machine's processors`
}

// What follows is left alone.

func ask() int {
	runtime.GOMAXPROCS(-1)
	return runtime.GOMAXPROCS(0)
}

func alone(work func()) {
	old := runtime.GOMAXPROCS(1)
	work()
	runtime.GOMAXPROCS(old)
}

func together(work func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU()))
	work()
}

func configured(n int) {
	runtime.GOMAXPROCS(n)
	runtime.GOMAXPROCS(min(n, runtime.NumCPU()))
}

func preset(n int) {
	if n == 0 {
		n = runtime.NumCPU()
	}
	runtime.GOMAXPROCS(n)
}

func wished(parallel bool) {
	if parallel {
		runtime.GOMAXPROCS(runtime.NumCPU())
	} else {
		runtime.GOMAXPROCS(1)
	}
}

func modes(mode string) {
	switch mode {
	case "fast":
		runtime.GOMAXPROCS(runtime.NumCPU())
	}
}

func experiment(work func()) {
	for n := 1; n <= runtime.NumCPU(); n++ {
		runtime.GOMAXPROCS(n)
		work()
	}
	for range 3 {
		runtime.GOMAXPROCS(runtime.NumCPU())
		work()
	}
}

func fixed() {
	runtime.GOMAXPROCS(4) // of a library, whenever somebody calls it
}

type own struct{}

func (own) GOMAXPROCS(n int) int { return n }

func others() {
	own{}.GOMAXPROCS(runtime.NumCPU())
}
