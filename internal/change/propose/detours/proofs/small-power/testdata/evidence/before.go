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
		sum += math.Pow(x-mean, 2) // hot
	}
	return math.Sqrt(sum / float64(len(data)))
}
