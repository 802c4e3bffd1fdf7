package c62

// V2 method

type scanner struct {
	in  []rune
	pos int
}

func (s *scanner) quoted() (string, bool) {
	var text string
	s.pos++
	for s.pos < len(s.in) {
		switch r := s.in[s.pos]; r {
		case '"':
			s.pos++
			return text, true
		case '\\':
			s.pos++
			if s.pos == len(s.in) {
				return "", false
			}
			text += string(s.in[s.pos])
		default:
			text += string(r)
		}
		s.pos++
	}
	return "", false
}
