// Package evidence sends events that were encoded by the same program.
package evidence

import (
	"bytes"
	"encoding/json"
)

// An Event is a change of a resource.
type Event struct {
	Seq      int64          `json:"seq"`
	Op       string         `json:"op"`
	Resource string         `json:"resource"`
	Keys     []string       `json:"keys"`
	Data     map[string]any `json:"data,omitempty"`
}

// Frame writes a payload as one server-sent event.
func Frame(w *bytes.Buffer, payload []byte) error {
	var e json.RawMessage
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	out, err := json.Marshal(e)
	if err != nil {
		return err
	}
	w.WriteString("data: ")
	w.Write(out)
	w.WriteString("\n\n")
	return nil
}
