// Package evidence encodes a document of nested objects.
package evidence

import (
	"bytes"
	"encoding/json"
	"sort"
)

type object map[string]any

// MarshalJSON writes the members sorted by name.
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
		key, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(o[k])
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// From makes objects of the maps in a document.
func From(x any) any {
	switch x := x.(type) {
	case map[string]any:
		o := make(object, len(x))
		for k, v := range x {
			o[k] = From(v)
		}
		return o
	case []any:
		all := make([]any, len(x))
		for i, v := range x {
			all[i] = From(v)
		}
		return all
	}
	return x
}

// Encode returns the document.
func Encode(doc any) ([]byte, error) { return json.Marshal(doc) }
