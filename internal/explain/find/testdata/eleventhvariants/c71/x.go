package c71

import (
	"encoding/json"
	"fmt"
	"io"
)

// V3 closure

type change struct {
	Entity string          `json:"entity"`
	Op     string          `json:"op"`
	Row    json.RawMessage `json:"row"`
}

func relay(w io.Writer, feed <-chan []byte) error {
	emit := func(payload []byte) error {
		var c change
		if err := json.Unmarshal(payload, &c); err != nil {
			return nil
		}
		line, err := json.Marshal(c)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "data: %s\n\n", line)
		return err
	}
	for payload := range feed {
		if err := emit(payload); err != nil {
			return err
		}
	}
	return nil
}
