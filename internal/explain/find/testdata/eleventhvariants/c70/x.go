package c70

import (
	"bytes"
	"encoding/json"
)

// V4 generic, missed

type orderedMap[V any] struct {
	keys   []string
	values map[string]V
}

func (m orderedMap[V]) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, k := range m.keys {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.values[k])
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
