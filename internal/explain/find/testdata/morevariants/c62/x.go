package c62

import ()

// V1 renamed
func split(line string) (toks []string) {
	cur := ""
	for _, r := range line {
		if r == ' ' {
			toks = append(toks, cur)
			cur = ""
			continue
		}
		cur += string(r)
	}
	return append(toks, cur)
}

// V2 method
type scanner struct {
	in  string
	pos int
}

func (s *scanner) word() string {
	w := ""
	for s.pos < len(s.in) && s.in[s.pos] != ' ' {
		w += string(s.in[s.pos])
		s.pos++
	}
	return w
}

// V3 closure
func quoter() func(string) string {
	return func(s string) string {
		out := ""
		for i := 0; i < len(s); i++ {
			if s[i] == '"' {
				out += "\\"
			}
			out += s[i : i+1]
		}
		return out
	}
}

// V4 generic
func Digits[S ~string](in S) string {
	var out string
	for _, r := range in {
		if r >= '0' && r <= '9' {
			out += string(r)
		}
	}
	return out
}

// V5 two functions
func push(tok string, r rune) string { return tok + string(r) }
func letters(s string) string {
	tok := ""
	for _, r := range s {
		tok = push(tok, r)
	}
	return tok
}
