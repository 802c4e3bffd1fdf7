//go:debug containermaxprocs=0

// Package main does not want the runtime to follow the limit.
package main

import "runtime"

func main() {
	runtime.GOMAXPROCS(runtime.NumCPU())
}
