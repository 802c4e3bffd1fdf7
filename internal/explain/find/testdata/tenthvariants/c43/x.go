package c43

import "regexp"

const ident = `[A-Za-z_][A-Za-z0-9_]*`

// V1 method, if with init, pattern of two constants
type Scanner struct {
	line int
	text string
}

func (s *Scanner) Directive() (name, rest string, ok bool) {
	if re, err := regexp.Compile(`^@(` + ident + `)\s+(.*)$`); err == nil {
		if m := re.FindStringSubmatch(s.text); m != nil {
			s.line++
			return m[1], m[2], true
		}
	}
	return "", "", false
}
