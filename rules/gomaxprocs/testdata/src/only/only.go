// Package main sets the machine's number, which the fix leaves to the runtime.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	runtime.GOMAXPROCS(runtime.NumCPU()) // want `the number of the machine's processors`
	fmt.Println("started")
}
