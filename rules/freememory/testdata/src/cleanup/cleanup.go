// Package cleanup wants two collections: what has a finalizer is free after the second.
package cleanup

import (
	"runtime"
	"runtime/debug"
)

func drop(p *int) {
	runtime.SetFinalizer(p, func(*int) { println("gone") })
	runtime.GC()
	debug.FreeOSMemory()
}
