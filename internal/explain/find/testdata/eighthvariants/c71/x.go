package c71

import (
	"encoding/json"
	"io"
)

// V1 closure
type notice struct {
	Topic string          `json:"topic"`
	Data  json.RawMessage `json:"data"`
}

func Publisher(w io.Writer) func([]byte) error {
	return func(raw []byte) error {
		var n notice
		if err := json.Unmarshal(raw, &n); err != nil {
			return err
		}
		line, err := json.Marshal(&n)
		if err != nil {
			return err
		}
		_, err = w.Write(append(line, '\n'))
		return err
	}
}

// V2 two functions
type order struct {
	ID    string   `json:"id"`
	Items []string `json:"items"`
}

func decode(p []byte) (*order, error) {
	o := new(order)
	if err := json.Unmarshal(p, o); err != nil {
		return nil, err
	}
	return o, nil
}

func Relay(p []byte, send func([]byte) error) error {
	o, err := decode(p)
	if err != nil {
		return err
	}
	out, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return send(out)
}
