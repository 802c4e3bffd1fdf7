// Package evidence names the colours of a palette.
package evidence

import "strconv"

// A Color is a place in the palette.
type Color struct {
	Index int
	name  string
}

// Sum adds up the lengths of the names.
func Sum(colors []*Color) int {
	n := 0
	for _, c := range colors {
		n += len(c.Name())
	}
	return n
}

// Name returns the colour's name, which is made when it is first asked for.
func (c *Color) Name() string {
	if c.name != "" { // hot
		return c.name
	}
	return c.nameSlow()
}

// nameSlow is what Name does where it has no fast return. It is apart
// so that Name can be inlined.
func (c *Color) nameSlow() string {
	digits := strconv.Itoa(c.Index)
	for len(digits) < 4 {
		digits = "0" + digits
	}
	switch {
	case c.Index < 0:
		c.name = "none" + digits
	case c.Index%2 == 0:
		c.name = "even" + digits
	default:
		c.name = "odd" + digits
	}
	return c.name
}
