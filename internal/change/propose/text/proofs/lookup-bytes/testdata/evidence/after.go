// Package evidence counts how often names occur.
package evidence

import "bytes"

// A Counter counts names.
type Counter struct {
	index map[string]int
	names []string
	count []int
}

// Count counts the names of a line, which are apart by one space.
func (c *Counter) Count(line []byte) {
	for len(line) > 0 {
		var word []byte
		word, line, _ = bytes.Cut(line, []byte(" "))
		if i, ok := c.index[string(word)]; ok {
			c.count[i]++
			continue
		}
		if c.index == nil {
			c.index = map[string]int{}
		}
		name := string(word) // target
		c.index[name] = len(c.names)
		c.names = append(c.names, name)
		c.count = append(c.count, 1)
	}
}

// All returns the names in the order in which they came, and how often they did.
func (c *Counter) All() ([]string, []int) { return c.names, c.count }
