package x

import (
	"runtime"
)

// V4 in generic code, missed
func each[T any](in <-chan T, do func(T)) {
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for v := range in {
			do(v)
		}
	}()
}
