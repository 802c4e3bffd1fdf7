// Package evidence goes through a text.
package evidence

// A Scanner goes through a text.
type Scanner struct {
	Text      []byte
	Pos, Line int
}

// Skip goes past white space.
func (s *Scanner) Skip() {
	for s.Pos < len(s.Text) && blank(s.Text[s.Pos]) {
		if s.Text[s.Pos] == '\n' {
			s.Line++
		}
		s.Pos++ // hot
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }
