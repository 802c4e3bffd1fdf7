package a

import (
	"encoding/json"
	"net/http"
)

type payload struct{ User string }

func serve(w http.ResponseWriter, r *http.Request) {
	var p payload
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil { // want `Decoder.Decode runs for each item: behind a function of one's own, another codec can be tried in one place`
		return
	}
	data, _ := json.Marshal(answer(p)) // want `json.Marshal runs for each item`
	w.Write(data)
}

func answer(p payload) payload {
	var q payload
	json.Unmarshal([]byte(p.User), &q) // want `json.Unmarshal runs`
	return q
}

type log struct{ enc *json.Encoder }

func (l *log) all(in []payload) {
	for _, p := range in {
		l.enc.Encode(p) // want `Encoder.Encode runs`
	}
}

func closure[T any](in []T) func() int {
	return func() (n int) {
		for _, v := range in {
			data, _ := json.Marshal(v) // want `json.Marshal runs`
			n += len(data)
		}
		return n
	}
}

// What follows is left alone.

type codec struct{}

func (codec) Marshal(v any) ([]byte, error)      { return json.Marshal(v) }
func (codec) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

func each(in []payload) (n int) {
	for _, p := range in {
		data, _ := codec{}.Marshal(p)
		n += len(data)
	}
	return n
}

func load(data []byte) (p payload) {
	if json.Unmarshal(data, &p) != nil {
		p.User = "?"
	}
	return p
}

var config payload

func init() {
	for range 3 {
		json.Unmarshal([]byte(`{}`), &config)
	}
}
