package c49

import (
	"runtime"
	"runtime/debug"
)

// V1 closure
func Trimmer(cache map[string][]byte) func() {
	return func() {
		clear(cache)
		runtime.GC()
		debug.FreeOSMemory()
	}
}
