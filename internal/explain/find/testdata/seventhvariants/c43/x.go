package c43

import "regexp"

// V1 method, constant in parts, chained
const word = `[a-z]+`

type parser struct{ lines []string }

func (p *parser) Pairs() (n int) {
	for _, line := range p.lines {
		if regexp.MustCompile("^" + word + "=" + word + "$").MatchString(line) {
			n++
		}
	}
	return n
}
