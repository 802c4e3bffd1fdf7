// Package evidence counts by name.
package evidence

type metric struct {
	name  string
	value int64
}

// Counters are numbers by name.
type Counters map[string]*metric

// Add adds to a counter, and returns what it has then.
func (c Counters) Add(name string, delta int64) int64 {
	m, ok := c[name]
	if !ok {
		m = &metric{name: name}
		c[name] = m
	}
	m.value += delta
	return m.value
}
