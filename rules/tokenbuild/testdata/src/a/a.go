package a

import "fmt"

func tokens(line string) (out []string) {
	word := ""
	for _, c := range line {
		if c == ' ' {
			if word != "" {
				out = append(out, word)
				word = ""
			}
			continue
		}
		word += string(c) // want `\+= copies word for each character; a strings.Builder, or a slice of the input, does not`
	}
	if len(word) > 0 {
		out = append(out, word)
	}
	return out
}

type scanner struct {
	input []rune
	pos   int
	text  string
}

func (s *scanner) name() string {
	var name string
	for s.pos < len(s.input) && s.input[s.pos] != ':' {
		name += string(s.input[s.pos]) // want `copies name`
		s.pos++
	}
	switch name {
	case "":
		return "none"
	}
	return name + "!"
}

func bytes(data []byte) func() string {
	return func() string {
		s := ""
		for _, b := range data {
			s += string(b) // want `copies s for each`
			s += "-"
		}
		return s
	}
}

func generic[T ~[]rune](in T) string {
	out := ""
	for _, r := range in {
		out += string(r) // want `copies out`
	}
	return out
}

func lines(in []string) (out []string) {
	for _, l := range in {
		upper := ""
		for _, r := range l {
			if r != '"' {
				upper += string(r) // want `copies upper`
			} else {
				upper += string('\'' + r - r) // want `copies upper`
			}
		}
		out = append(out, upper)
	}
	return out
}

// Reported without a fix.

func (s *scanner) field() {
	for _, r := range s.input {
		s.text += string(r) // want `copies s.text`
	}
}

func prefixed(line string) string {
	s := "> "
	for _, r := range line {
		s += string(r) // want `copies s`
	}
	return s
}

func parameter(s, line string) string {
	for _, r := range line {
		s += string(r) // want `copies s`
	}
	return s
}

func replaced(line string) string {
	s := ""
	for _, r := range line {
		s += string(r) // want `copies s`
		if len(s) > 8 {
			s = s[4:]
		}
	}
	return s
}

func address(line string) string {
	s := ""
	for _, r := range line {
		s += string(r) // want `copies s`
		fmt.Sscan("x", &s)
	}
	return s
}

func captured(line string) string {
	s := ""
	clear := func() { s = "" }
	for _, r := range line {
		s += string(r) // want `copies s`
		if r == ' ' {
			clear()
		}
	}
	return s
}

type text string

func named(line string) text {
	var s text
	for _, r := range line {
		s += text(r) // want `copies s`
	}
	return s
}

func two(line string) (string, int) {
	s, n := "", 0
	for _, r := range line {
		s += string(r) // want `copies s`
		n++
	}
	return s, n
}

// Without a fix.
func spelled(s string) string {
	out := ""
	for _, r := range s {
		if r != '-' {
			out = out + string(r) // want `copies out for each character`
		}
	}
	return out
}

// What follows is left alone.

func inside(lines [][]rune) (out []string) {
	for _, l := range lines {
		s := ""
		s += string(l[0])
		out = append(out, s)
	}
	return out
}

func once(line string) string {
	s := ""
	for _, r := range line {
		if r == 'x' {
			s += string(r)
			break
		}
		if r == 'y' {
			s += string(r)
			return s
		}
	}
	return s
}

func straight(r rune) string {
	s := "a"
	s += string(r)
	return s
}

func words(in []string) string {
	s := ""
	for _, w := range in {
		s += w // not by the character: the matter of other tools
	}
	return s
}

func number(line string) (n int) {
	for _, r := range line {
		n += int(r)
	}
	return n
}
