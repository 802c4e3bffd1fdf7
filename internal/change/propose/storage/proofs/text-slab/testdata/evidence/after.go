// Package evidence reads the fields of lines.
package evidence

import "strings"

// A Field is a name with its value.
type Field struct{ Name, Value string }

type reader struct {
	data []byte
	at   int

	// texts makes short texts.
	texts textSlab
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
	return r.texts.text(text) // target
}

// A textSlab makes short texts: one allocation makes several.
type textSlab struct{ room *strings.Builder }

// text returns b as a string.
func (s *textSlab) text(b []byte) string {
	if len(b) < 2 || len(b) > 64 {
		return string(b)
	}
	if s.room == nil {
		s.room = new(strings.Builder)
	}
	if s.room.Cap()-s.room.Len() < len(b) {
		n := 2*s.room.Cap() + 64
		if n > 256 {
			n = 256
		}
		s.room.Reset()
		s.room.Grow(n)
	}
	start := s.room.Len()
	s.room.Write(b)
	return s.room.String()[start:]
}
