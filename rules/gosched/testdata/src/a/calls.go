package a

import "runtime"

func fold[T, A any](xs []T, a A, f func(A, T) A) A {
	for i, x := range xs {
		a = f(a, x)
		if i%100 == 0 {
			runtime.Gosched() // want `in a loop that computes`
		}
	}
	return a
}

func literal(xs []int) (sum int) {
	yield := func(i int) {
		if i%64 == 0 {
			runtime.Gosched()
		}
	}
	for i, x := range xs {
		sum += x
		yield(i) // want `yield is runtime.Gosched in a loop that computes`
	}
	return sum
}

// What follows is left alone.

func asks(xs []int, ready func(int) bool) (n int) {
	for _, x := range xs {
		if ready(x) {
			n += x
		}
		runtime.Gosched()
	}
	return n
}
