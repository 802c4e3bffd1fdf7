package a

import (
	"encoding/json"
	"io"
)

func decode(r io.Reader) (map[string]any, error) {
	var v map[string]any
	err := json.NewDecoder(r).Decode(&v) // want `each value of the document is boxed in a map\[string\]any: a struct of the members that are known takes fewer allocations`
	return v, err
}

type object map[string]interface{}

type store struct{ last object }

func (s *store) load(data []byte) error {
	return json.Unmarshal(data, &s.last) // want `boxed in a object`
}

func list(data []byte) func() []map[string]any {
	return func() []map[string]any {
		var rows []map[string]any
		_ = json.Unmarshal(data, &rows) // want `boxed in a \[\]map\[string\]any`
		return rows
	}
}

func many(data []byte) string {
	var v map[string]any
	if json.Unmarshal(data, &v) != nil { // want `boxed in a map`
		return ""
	}
	return v["a"].(string) + v["b"].(string) + v["c"].(string) + v["d"].(string) + v["e"].(string)
}

func handed[T any](data []byte, use func(map[string]any) T) T {
	var v map[string]any
	_ = json.Unmarshal(data, &v) // want `boxed in a map`
	return use(v)
}

// What follows is left alone.

type payload struct {
	User  string         `json:"user"`
	Extra map[string]any `json:"extra"`
}

func typed(data []byte) (p payload, err error) {
	err = json.Unmarshal(data, &p)
	return p, err
}

func few2(data []byte) any {
	var v map[string]any
	_ = json.Unmarshal(data, &v) // jsonfields says so
	return v["name"]
}

func again(data []byte) ([]byte, error) {
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

func values(data []byte) (v map[string]int, err error) {
	err = json.Unmarshal(data, &v)
	return v, err
}

func raw(data []byte) (v map[string]json.RawMessage, err error) {
	err = json.Unmarshal(data, &v)
	return v, err
}

func anything(data []byte) (v any, err error) {
	err = json.Unmarshal(data, &v)
	return v, err
}
