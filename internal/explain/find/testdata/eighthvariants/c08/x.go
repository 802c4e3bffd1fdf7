package c08

import (
	"errors"
	"fmt"
)

// V1 names
type decoder struct {
	buf []byte
	off int
}

func (d *decoder) byte() (byte, error) {
	if d.off >= len(d.buf) {
		return 0, errors.New("decoder: unexpected end of input")
	}
	b := d.buf[d.off]
	d.off++
	return b, nil
}

// V2 two functions
func invalid(what string) error { return fmt.Errorf("invalid %s", what) }

func tooShort() error { return fmt.Errorf("frame is too short") }

func Frame(p []byte) (kind byte, body []byte, err error) {
	if len(p) < 4 {
		return 0, nil, tooShort()
	}
	if p[0] > 9 {
		return 0, nil, invalid("kind")
	}
	return p[0], p[4:], nil
}
