package c16

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"
)

// V1 method, Put in a deferred closure, written by an encoder
type Responder struct {
	buffers sync.Pool
}

func NewResponder() *Responder {
	return &Responder{buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
}

func (r *Responder) JSON(w http.ResponseWriter, status int, v any) error {
	body := r.buffers.Get().(*bytes.Buffer)
	defer func() { r.buffers.Put(body) }()
	if err := json.NewEncoder(body).Encode(v); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err := w.Write(body.Bytes())
	return err
}
