// Package evidence copies rows.
package evidence

// Clone returns a copy of a row.
func Clone(row []float64) []float64 {
	out := make([]float64, len(row))
	copy(out, row) // hot
	return out
}
