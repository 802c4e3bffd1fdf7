// Package evidence counts by name.
package evidence

type metric struct {
	name  string
	value any
}

func (m *metric) int() int64 {
	n, _ := m.value.(int64)
	return n
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
	m.value = m.int() + delta
	return m.int()
}
