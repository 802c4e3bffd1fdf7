package b

import (
	"bytes"
	"encoding/json"
	"sort"
)

type object map[string]any

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	keys := make([]string, 0, len(o))
	for k := range o {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		kb, err := json.Marshal(k) // want `for each key and value of o; encoding/json sorts`
		if err != nil {
			return nil, err
		}
		vb, err := json.Marshal(o[k])
		if err != nil {
			return nil, err
		}
		b.Write(kb)
		b.WriteByte(':')
		b.Write(vb)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func document() ([]byte, error) {
	return json.Marshal(object{"a": object{"b": 1}})
}
