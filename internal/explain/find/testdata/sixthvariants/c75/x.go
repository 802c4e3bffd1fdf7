package c75

import (
	"bytes"
	"strings"
)

// V1 closure, last
func Suffixes(names []string, each func(string)) {
	last := func(name string) string {
		parts := strings.Split(name, ".")
		return parts[len(parts)-1]
	}
	for _, n := range names {
		each(last(n))
	}
}

// V2 bytes, method
type message struct{ raw []byte }

func (m *message) Command() string {
	fields := bytes.Split(m.raw, []byte(" "))
	return string(fields[0])
}
