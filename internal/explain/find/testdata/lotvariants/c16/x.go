package x

import (
	"bytes"
	"sync"
)

// V2 in a method
type encoder struct{ bufs sync.Pool }

func (e *encoder) encode(parts [][]byte, sink func([]byte)) {
	b, _ := e.bufs.Get().(*bytes.Buffer)
	if b == nil {
		b = new(bytes.Buffer)
	}
	for _, p := range parts {
		b.Write(p)
	}
	sink(b.Bytes())
	e.bufs.Put(b)
}
