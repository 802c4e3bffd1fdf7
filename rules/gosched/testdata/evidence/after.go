// Package evidence computes with long slices.
package evidence

import (
	"math"
)

// Norm adds up what it makes of the numbers.
func Norm(data []float64) float64 {
	sum := 0.0
	for _, v := range data {
		sum += math.Sqrt(v) * math.Sin(v)
	}
	return sum
}
