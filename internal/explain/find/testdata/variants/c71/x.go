package c71

import (
	"encoding/json"
	"io"
)

// V1 renamed
type msg struct{ A string }

func relay(in []byte) ([]byte, error) {
	m := new(msg)
	if err := json.Unmarshal(in, m); err != nil {
		return nil, err
	}
	return json.Marshal(m)
}

// V2 method
type hub struct{ w io.Writer }

func (h *hub) send(raw []byte) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	out, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = h.w.Write(out)
	return err
}

// V3 closure
func tap(out chan<- []byte) func([]byte) {
	return func(b []byte) {
		var m map[string]any
		if json.Unmarshal(b, &m) != nil {
			return
		}
		c, _ := json.Marshal(m)
		out <- c
	}
}

// V4 generic
func norm[T any](raw []byte) ([]byte, error) {
	var t T
	if err := json.Unmarshal(raw, &t); err != nil {
		return nil, err
	}
	return json.Marshal(t)
}

// V5 two functions
func dec(b []byte) (msg, error) { var m msg; err := json.Unmarshal(b, &m); return m, err }
func pass(b []byte) ([]byte, error) {
	m, err := dec(b)
	if err != nil {
		return nil, err
	}
	return json.Marshal(m)
}
