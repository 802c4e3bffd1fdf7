// Package evidence reads settings.
package evidence

import (
	"bufio"
	"io"
	"strings"
)

// A parser reads one setting after the other.
type parser struct {
	in *bufio.Reader
}

func (p *parser) word(end byte) (string, error) {
	word, err := p.in.ReadString(end)
	return strings.TrimSuffix(word, string(end)), err
}

// Parse reads settings of the form name = value; .
func Parse(text string) (map[string]string, error) {
	found := map[string]string{}
	p := &parser{in: bufio.NewReader(strings.NewReader(text))} // hot
	for {
		name, err := p.word('=')
		if err == io.EOF && strings.TrimSpace(name) == "" {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		value, err := p.word(';')
		if err != nil {
			return nil, err
		}
		found[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
}
