// Package unset sets the machine's number where nobody else did: there is no
// fix, which would leave an empty branch.
package unset

import (
	"os"
	"runtime"
)

func Start() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.NumCPU()) // want `the number of the machine's processors`
	}
}
