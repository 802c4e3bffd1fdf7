package c53

import "time"

// V4 generic
func drain[T any](ch <-chan T, f func(T)) {
	for {
		select {
		case v, ok := <-ch:
			if !ok {
				return
			}
			f(v)
		case <-time.After(time.Minute):
			return
		}
	}
}
