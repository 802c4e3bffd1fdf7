// Package evidence copies rows.
package evidence

// Clone returns a copy of a row.
func Clone(row []float64) []float64 {
	out := make([]float64, len(row))
	for i := range row {
		out[i] = row[i]
	} // hot
	return out
}
