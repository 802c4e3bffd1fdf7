package c51

import (
	"math"
	"runtime"
)

// V1 renamed
func norm(xs []float64) (s float64) {
	for n, x := range xs {
		s += x * x
		if n%512 == 0 {
			runtime.Gosched()
		}
	}
	return math.Sqrt(s)
}

// V2 method
type hasher struct{ h uint64 }

func (h *hasher) sum(p []byte) uint64 {
	for _, b := range p {
		h.h = h.h*31 + uint64(b)
		runtime.Gosched()
	}
	return h.h
}

// V3 closure
func counter() func(int) int {
	return func(n int) (c int) {
		for i := 0; i < n; i++ {
			c += i & 3
			if i&1023 == 0 {
				runtime.Gosched()
			}
		}
		return c
	}
}

// V4 generic
func Fold[T, A any](xs []T, a A, f func(A, T) A) A {
	for i, x := range xs {
		a = f(a, x)
		if i%100 == 0 {
			runtime.Gosched()
		}
	}
	return a
}

// V5 two functions
func yield(i int) {
	if i%1000 == 0 {
		runtime.Gosched()
	}
}
func sumAll(xs []int) (t int) {
	for i, x := range xs {
		t += x
		yield(i)
	}
	return t
}
