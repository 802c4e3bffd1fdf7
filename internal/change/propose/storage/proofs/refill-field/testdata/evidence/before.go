// Package evidence reads one text of nested names after the other.
package evidence

import "errors"

// A Parser reads texts such as "a(b,c(d))". It is for one goroutine.
type Parser struct {
	open  []string // the names that are not closed yet
	names int
	most  int
}

// Parse returns how deep a text is, and how many names it has.
func (p *Parser) Parse(text string) (depth, names int, err error) {
	p.open, p.names, p.most = nil, 0, 0
	from := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			p.push(text[from:i])
		case ')':
			if p.name(text[from:i]); len(p.open) == 0 {
				return p.most, p.names, errors.New("nothing to close")
			}
			p.open = p.open[:len(p.open)-1]
		case ',':
			p.name(text[from:i])
		default:
			continue
		}
		from = i + 1
	}
	p.name(text[from:])
	if len(p.open) > 0 {
		err = errors.New(p.open[len(p.open)-1] + " is open")
	}
	return p.most, p.names, err
}

func (p *Parser) push(name string) {
	p.name(name)
	p.open = append(p.open, name) // target
	p.most = max(p.most, len(p.open))
}

func (p *Parser) name(name string) {
	if name != "" {
		p.names++
	}
}
