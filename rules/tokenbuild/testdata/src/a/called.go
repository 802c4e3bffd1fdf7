package a

// Strings that a function adds to, which is called for each character.

type reader struct {
	cur   string
	state struct{ digits string }
}

func (s *reader) put(b byte) { s.cur += string(rune(b)) } // want `\+= copies s.cur for each character`

func scanAll(s *reader, line []byte) {
	for i := range line {
		s.put(line[i])
	}
}

func digit(s *reader, r rune) {
	if '0' <= r && r <= '9' {
		s.state.digits += string(r) // want `copies s.state.digits`
	}
}

func digits(line string) string {
	s := new(reader)
	for _, r := range line {
		digit(s, r)
	}
	return s.state.digits
}

func letters(line string) (all string) {
	keep := func(r rune) {
		if 'a' <= r && r <= 'z' {
			all = all + string(r) // want `copies all`
		}
	}
	for _, r := range line {
		keep(r)
	}
	return all
}

// What follows is left alone.

func (s reader) copied(r rune) { s.cur += string(r) }

func (s *reader) end(r rune) { s.cur += string(r) }

func (s *reader) each(lines []string, r rune) {
	s.end(r)
	for range lines {
		s.copied(r)
		var own reader
		own.end(r)
	}
	local := func(r rune) string {
		text := "x"
		text += string(r)
		return text
	}
	for range lines {
		_ = local(r)
	}
}
