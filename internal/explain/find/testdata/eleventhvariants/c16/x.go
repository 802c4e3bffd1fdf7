package c16

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// V2 method

type renderer struct {
	buffers sync.Pool
}

func newRenderer() *renderer {
	return &renderer{buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
}

func (r *renderer) render(w io.Writer, page any) error {
	buf := r.buffers.Get().(*bytes.Buffer)
	defer r.buffers.Put(buf)
	if err := json.NewEncoder(buf).Encode(page); err != nil {
		return err
	}
	_, err := w.Write(buf.Bytes())
	return err
}
