package c67

import (
	"bytes"
	"os"
)

// V2 method
type mirror struct{ from, to string }

func (m mirror) same(rel string) bool {
	a, err := os.ReadFile(m.from + "/" + rel)
	if err != nil {
		return false
	}
	b, err := os.ReadFile(m.to + "/" + rel)
	return err == nil && bytes.Equal(a, b)
}
