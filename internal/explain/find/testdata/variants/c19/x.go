package c19

import (
	"encoding/json"
	"io"
)

// V1 renamed
func settings(b []byte) (map[string]interface{}, error) {
	m := make(map[string]interface{})
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	return m, nil
}

// V2 method
type h struct{}

func (h) name(r io.Reader) string {
	var doc map[string]any
	json.NewDecoder(r).Decode(&doc)
	s, _ := doc["name"].(string)
	return s
}

// V3 closure, missed
func parser() func([]byte) any {
	return func(b []byte) any {
		var v any
		if json.Unmarshal(b, &v) != nil {
			return nil
		}
		return v.(map[string]any)["id"]
	}
}

// V4 generic
func field[T any](b []byte, k string) (T, bool) {
	m := map[string]any{}
	json.Unmarshal(b, &m)
	t, ok := m[k].(T)
	return t, ok
}

// V5 two functions, missed
func toMap(b []byte) (m map[string]any) { json.Unmarshal(b, &m); return }
func ident(b []byte) string             { s, _ := toMap(b)["id"].(string); return s }
