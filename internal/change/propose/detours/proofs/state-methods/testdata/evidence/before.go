// Package evidence counts words and lines by a machine with states.
package evidence

type state func() state

// A counter goes through a text.
type counter struct {
	text         string
	words, lines int
}

func (c *counter) space() state {
	for i := range len(c.text) {
		switch c.text[i] {
		case ' ':
		case '\n':
			c.lines++
		case '#':
			c.text = c.text[i:]
			return c.comment
		default:
			c.text = c.text[i:]
			return c.word // target
		}
	}
	return nil
}

func (c *counter) word() state {
	c.words++
	for i := range len(c.text) {
		if c.text[i] == ' ' || c.text[i] == '\n' {
			c.text = c.text[i:]
			return c.space
		}
	}
	return nil
}

func (c *counter) comment() state {
	for i := range len(c.text) {
		if c.text[i] == '\n' {
			c.text = c.text[i:]
			return c.space
		}
	}
	return nil
}

// Words returns how many words and lines a text has, but for those in comments.
func Words(text string) (words, lines int) {
	c := &counter{text: text}
	for next := c.space; next != nil; {
		next = next()
	}
	return c.words, c.lines
}
