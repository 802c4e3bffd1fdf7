// Package evidence reads the fields of lines.
package evidence

// A Field is a name with its value.
type Field struct{ Name, Value string }

type reader struct {
	data []byte
	at   int
}

// Parse reads fields such as name=value;
func Parse(data []byte) []Field {
	r := &reader{data: data}
	fields := make([]Field, 0, 32)
	for r.at < len(data) {
		fields = append(fields, Field{r.until('='), r.until(';')})
	}
	return fields
}

// until returns what stands before the next end.
func (r *reader) until(end byte) string {
	start := r.at
	for r.at < len(r.data) && r.data[r.at] != end {
		r.at++
	}
	text := r.data[start:r.at]
	r.at++
	return string(text) // target
}
