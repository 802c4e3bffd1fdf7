// Package main serves with a fixed number of processors.
package main

import (
	"net/http"
	"os"
	"runtime"
)

const processors = 8

func init() {
	runtime.GOMAXPROCS(processors) // want `sets a fixed number`
}

func main() {
	runtime.GOMAXPROCS(4) // want `sets a fixed number`
	if len(os.Args) > 1 {
		runtime.GOMAXPROCS(2) // asked for
	}
	runtime.GOMAXPROCS(1) // one is for the sake of an order, not of the machine
	func() { runtime.GOMAXPROCS(4) }()
	http.ListenAndServe("localhost:0", nil)
}
