// Package evidence counts words and lines by a machine with states.
package evidence

type state func(*counter) state

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
			return (*counter).comment
		default:
			c.text = c.text[i:]
			return (*counter).word // target
		}
	}
	return nil
}

func (c *counter) word() state {
	c.words++
	for i := range len(c.text) {
		if c.text[i] == ' ' || c.text[i] == '\n' {
			c.text = c.text[i:]
			return (*counter).space
		}
	}
	return nil
}

func (c *counter) comment() state {
	for i := range len(c.text) {
		if c.text[i] == '\n' {
			c.text = c.text[i:]
			return (*counter).space
		}
	}
	return nil
}

// Words returns how many words and lines a text has, but for those in comments.
func Words(text string) (words, lines int) {
	c := &counter{text: text}
	for next := (*counter).space; next != nil; {
		next = next(c)
	}
	return c.words, c.lines
}
