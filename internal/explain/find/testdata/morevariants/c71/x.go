package c71

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

type event struct {
	ID   string
	Body string
}

// V1 renamed
func relay(w io.Writer, payload []byte) error {
	var ev event
	if err := json.Unmarshal(payload, &ev); err != nil {
		return err
	}
	out, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// V2 method
type sse struct{ w http.ResponseWriter }

func (s *sse) send(raw []byte) {
	e := event{}
	if json.Unmarshal(raw, &e) != nil {
		return
	}
	b, _ := json.Marshal(&e)
	fmt.Fprintf(s.w, "data: %s\n\n", b)
}

// V3 closure
func emitter(w io.Writer) func([]byte) {
	return func(p []byte) {
		var m map[string]any
		if err := json.Unmarshal(p, &m); err != nil {
			return
		}
		q, err := json.Marshal(m)
		if err != nil {
			return
		}
		w.Write(q)
	}
}

// V4 generic, missed
func Normalize[T any](in []byte) ([]byte, error) {
	var v T
	if err := json.Unmarshal(in, &v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// V5 two functions
func parse(b []byte) (e event, err error) {
	err = json.Unmarshal(b, &e)
	return e, err
}
func echo(b []byte) ([]byte, error) {
	e, err := parse(b)
	if err != nil {
		return nil, err
	}
	return json.Marshal(e)
}
