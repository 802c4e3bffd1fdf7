package c46

import "runtime"

// V3 closure, missed
func start(work <-chan func() int, out chan<- int) {
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for {
			n, ok := <-work
			if !ok {
				return
			}
			out <- n()
		}
	}()
}
