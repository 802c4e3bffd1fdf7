package c51

import (
	"math"
	"runtime"
)

// V1 renamed
func hashAll(bs [][]byte) (h uint32) {
	for _, b := range bs {
		for _, c := range b {
			h = h*31 + uint32(c)
		}
		runtime.Gosched()
	}
	return
}

// V2 method
type mat struct{ a []float64 }

func (m *mat) norm() (s float64) {
	for i := range m.a {
		s += m.a[i] * m.a[i]
		if i&255 == 0 {
			runtime.Gosched()
		}
	}
	return math.Sqrt(s)
}

// V3 closure
func adder(xs []int) func() int {
	return func() int {
		t := 0
		for _, x := range xs {
			t += x
			runtime.Gosched()
		}
		return t
	}
}

// V4 generic
func sumN[T int | float64](xs []T) (t T) {
	for i, x := range xs {
		t += x
		if i%100 == 99 {
			runtime.Gosched()
		}
	}
	return
}

// V5 two functions
func yield(i int) {
	if i%64 == 0 {
		runtime.Gosched()
	}
}
func primesBelow(n int) (c int) {
	for i := 2; i < n; i++ {
		yield(i)
		if i%2 == 1 {
			c++
		}
	}
	return
}
