// Package evidence halves numbers in C.
package evidence

/*
static double half(double x) { return x / 2; }
*/
import "C"

// Halve halves all numbers.
func Halve(xs []float64) {
	for i, x := range xs {
		xs[i] = float64(C.half(C.double(x)))
	}
}
