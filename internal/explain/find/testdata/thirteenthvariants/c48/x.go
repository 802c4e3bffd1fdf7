package c48

import (
	"errors"
	"net"
)

// V1 across two functions

type value struct {
	text     string
	children []value
}

var errSyntax = errors.New("syntax error")

type listParser struct {
	in  []byte
	pos int
}

func (p *listParser) value() (value, error) {
	if p.pos >= len(p.in) {
		return value{}, errSyntax
	}
	if p.in[p.pos] == '(' {
		p.pos++
		return p.list()
	}
	from := p.pos
	for p.pos < len(p.in) && p.in[p.pos] != ' ' && p.in[p.pos] != ')' {
		p.pos++
	}
	return value{text: string(p.in[from:p.pos])}, nil
}

func (p *listParser) list() (value, error) {
	var v value
	for p.pos < len(p.in) {
		switch p.in[p.pos] {
		case ')':
			p.pos++
			return v, nil
		case ' ':
			p.pos++
		default:
			child, err := p.value()
			if err != nil {
				return value{}, err
			}
			v.children = append(v.children, child)
		}
	}
	return value{}, errSyntax
}

func accept(l net.Listener, handle func(value)) error {
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			buf := make([]byte, 64<<10)
			n, err := conn.Read(buf)
			if err != nil {
				return
			}
			p := listParser{in: buf[:n]}
			if v, err := p.value(); err == nil {
				handle(v)
			}
		}()
	}
}
