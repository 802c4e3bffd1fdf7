package c62

// V2 method
type scanner struct {
	cur    string
	tokens []string
}

func (s *scanner) scan(text string) {
	for _, r := range text {
		if r == ' ' || r == '\t' {
			s.tokens = append(s.tokens, s.cur)
			s.cur = ""
			continue
		}
		s.cur += string(r)
	}
}
