package x

import (
	"runtime"
)

// V5 across two functions
func sumAll(xs []float64) (s float64) {
	for i, x := range xs {
		s += x * x
		breathe(i)
	}
	return s
}
func breathe(i int) {
	if i%1000 == 0 {
		runtime.Gosched()
	}
}
