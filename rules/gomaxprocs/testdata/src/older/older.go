//go:build go1.24

// Package main has no go line here, and its file is of a version whose runtime
// does not look at the limit.
package main

import (
	"runtime"

	_ "go.uber.org/automaxprocs"
)

func main() {
	runtime.GOMAXPROCS(runtime.NumCPU())
}
