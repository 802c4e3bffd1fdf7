// Package evidence halves numbers in C.
package evidence

/*
static void halve(double *xs, int n) { for (int i = 0; i < n; i++) xs[i] /= 2; }
*/
import "C"
import "unsafe"

// Halve halves all numbers.
func Halve(xs []float64) {
	C.halve((*C.double)(unsafe.Pointer(unsafe.SliceData(xs))), C.int(len(xs)))
}
