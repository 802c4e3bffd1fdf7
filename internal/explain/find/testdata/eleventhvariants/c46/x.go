package c46

import "runtime"

// V4 generic

type number interface{ ~int | ~int64 | ~float64 }

func accumulate[T number](in <-chan []T, out chan<- T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for batch := range in {
		var sum T
		for _, v := range batch {
			sum += v
		}
		out <- sum
	}
}
