package c16

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"
)

// V1 renamed

var encoders = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func writeEvent(w http.ResponseWriter, name string, payload any) error {
	frame := encoders.Get().(*bytes.Buffer)
	defer encoders.Put(frame)
	frame.WriteString("event: ")
	frame.WriteString(name)
	frame.WriteString("\ndata: ")
	if err := json.NewEncoder(frame).Encode(payload); err != nil {
		return err
	}
	frame.WriteByte('\n')
	_, err := w.Write(frame.Bytes())
	return err
}
