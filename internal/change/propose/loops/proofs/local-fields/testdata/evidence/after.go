// Package evidence goes through a text.
package evidence

// A Scanner goes through a text.
type Scanner struct {
	Text      []byte
	Pos, Line int
}

// Skip goes past white space.
func (s *Scanner) Skip() {
	pos, text, line := s.Pos, s.Text, s.Line
	for pos < len(text) && blank(text[pos]) {
		if text[pos] == '\n' {
			line++
		}
		pos++ // hot
	}
	if pos != s.Pos {
		s.Pos = pos
	}
	if line != s.Line {
		s.Line = line
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }
