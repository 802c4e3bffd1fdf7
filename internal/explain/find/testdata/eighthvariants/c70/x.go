package c70

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// V1 two functions
type attributes struct{ values map[string]any }

func member(b *bytes.Buffer, k string, v any) error {
	name, err := json.Marshal(k)
	if err != nil {
		return err
	}
	val, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b.Write(name)
	b.WriteByte(':')
	b.Write(val)
	return nil
}

func (a attributes) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range slices.Sorted(maps.Keys(a.values)) {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := member(&b, k, a.values[k]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
