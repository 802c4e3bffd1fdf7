package c71

import (
	"encoding/json"
	"io"
)

// V5 two functions
type event struct {
	Kind string `json:"kind"`
	ID   int    `json:"id"`
}

func parse(raw []byte) (ev event, err error) {
	err = json.Unmarshal(raw, &ev)
	return ev, err
}

func forward(w io.Writer, raws <-chan []byte) error {
	for raw := range raws {
		ev, err := parse(raw)
		if err != nil {
			continue
		}
		line, err := json.Marshal(ev)
		if err != nil {
			return err
		}
		w.Write(line)
	}
	return nil
}
