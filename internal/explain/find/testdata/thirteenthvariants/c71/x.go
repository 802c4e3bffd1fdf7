package c71

import (
	"bufio"
	"encoding/json"
	"fmt"
)

// V1 across two functions

type mutation struct {
	Table  string          `json:"table"`
	Action string          `json:"action"`
	Row    json.RawMessage `json:"row"`
}

func parseMutation(payload []byte) (mutation, error) {
	var m mutation
	err := json.Unmarshal(payload, &m)
	return m, err
}

func stream(w *bufio.Writer, events <-chan []byte) error {
	for payload := range events {
		m, err := parseMutation(payload)
		if err != nil {
			continue
		}
		frame, err := json.Marshal(m)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", frame); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}
