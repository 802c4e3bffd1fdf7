package c19

import (
	"encoding/json"
	"io"
	"net/http"
)

// V1 renamed
func readConfig(data []byte) (map[string]interface{}, error) {
	var cfg map[string]interface{}
	if err := json.Unmarshal(data, &cfg); err != nil {
		return nil, err
	}
	return cfg, nil
}

// V2 method
type handler struct{}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := map[string]any{}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, "bad", 400)
		return
	}
	name, _ := body["name"].(string)
	io.WriteString(w, name)
}

// V3 closure
func decoder() func(io.Reader) (string, error) {
	return func(r io.Reader) (string, error) {
		var m map[string]any
		if err := json.NewDecoder(r).Decode(&m); err != nil {
			return "", err
		}
		return m["id"].(string), nil
	}
}

// V4 generic
func Field[T any](data []byte, key string) (T, error) {
	var m map[string]any
	var zero T
	if err := json.Unmarshal(data, &m); err != nil {
		return zero, err
	}
	v, _ := m[key].(T)
	return v, nil
}

// V5 two functions
func decodeInto(r io.Reader, v any) error { return json.NewDecoder(r).Decode(v) }
func userOf(r io.Reader) (string, error) {
	var m map[string]any
	if err := decodeInto(r, &m); err != nil {
		return "", err
	}
	s, _ := m["user"].(string)
	return s, nil
}
