package c51

import "runtime"

// V4 generic, missed
func fold[T any](xs []T, f func(T)) {
	for i := range xs {
		f(xs[i])
		if i&1023 == 0 {
			runtime.Gosched()
		}
	}
}
