// Package evidence writes records.
package evidence

import "strconv"

// A Sample is a reading of a sensor.
type Sample struct {
	At    int64
	Value float64
}

// Marshal returns the samples, one a line.
func Marshal(samples []Sample) []byte {
	out := []byte{}
	for _, s := range samples {
		out = strconv.AppendInt(out, s.At, 10) // target
		out = append(out, ' ')
		out = strconv.AppendFloat(out, s.Value, 'f', 3, 64)
		out = append(out, '\n')
	}
	return out
}
