// Package evidence computes how far values are from their mean.
package evidence

import "math"

// Deviation returns the standard deviation of data.
func Deviation(data []float64) float64 {
	mean := 0.0
	for _, x := range data {
		mean += x / float64(len(data))
	}
	sum := 0.0
	for _, x := range data {
		sum += square(x - mean) // hot
	}
	return math.Sqrt(sum / float64(len(data)))
}

// square returns x². What is too small for a normal number math.Pow rounds otherwise.
func square(x float64) float64 {
	if s := float64(x * x); s >= 0x1p-1022 {
		return s
	}
	return math.Pow(x, 2)
}
