// Package evidence computes with long slices.
package evidence

import (
	"math"
	"runtime"
)

// Norm adds up what it makes of the numbers.
func Norm(data []float64) float64 {
	sum := 0.0
	for i, v := range data {
		sum += math.Sqrt(v) * math.Sin(v)
		if i%1000 == 0 {
			runtime.Gosched()
		}
	}
	return sum
}
