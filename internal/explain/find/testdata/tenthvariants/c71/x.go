package c71

import (
	"encoding/json"
	"io"
)

type Mutation struct {
	Resource string `json:"resource"`
	Op       string `json:"op"`
	Revision int64  `json:"revision"`
}

// V1 method and two functions, select
type Hub struct {
	events chan []byte
	closed chan struct{}
}

func (h *Hub) Stream(w io.Writer, flush func()) error {
	for {
		select {
		case <-h.closed:
			return nil
		case raw := <-h.events:
			m, err := parseMutation(raw)
			if err != nil {
				continue
			}
			data, err := json.Marshal(m)
			if err != nil {
				return err
			}
			if _, err := w.Write(append(append([]byte("data: "), data...), "\n\n"...)); err != nil {
				return err
			}
			flush()
		}
	}
}

func parseMutation(raw []byte) (m Mutation, err error) {
	err = json.Unmarshal(raw, &m)
	return m, err
}
