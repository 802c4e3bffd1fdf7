package a

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

type attributes struct{ values map[string]any }

func member(b *bytes.Buffer, k string, v any) error {
	name, err := json.Marshal(k)
	if err != nil {
		return err
	}
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b.Write(name)
	b.WriteByte(':')
	b.Write(value)
	return nil
}

func (a attributes) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range slices.Sorted(maps.Keys(a.values)) {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := member(&b, k, a.values[k]); err != nil { // want `for each key and value of a.values`
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

type written struct{ values map[string]any }

func (w written) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	write := func(v any) error {
		text, err := json.Marshal(v) // want `for each key and value of w.values`
		b.Write(text)
		return err
	}
	b.WriteByte('{')
	for i, k := range slices.Sorted(maps.Keys(w.values)) {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := write(k); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := write(w.values[k]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// What follows is left alone.

type versioned struct{ values map[string]any }

func stamped(b *bytes.Buffer, k string, v any) {
	name, _ := json.Marshal(k)
	value, _ := json.Marshal(v)
	b.Write(name)
	b.WriteString(`:{"v":1,"value":`)
	b.Write(value)
	b.WriteByte('}')
}

func (a versioned) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range slices.Sorted(maps.Keys(a.values)) {
		if i > 0 {
			b.WriteByte(',')
		}
		stamped(&b, k, a.values[k])
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

type present struct{ values map[string]any }

func unlessNil(b *bytes.Buffer, k string, v any) {
	if v == nil {
		return
	}
	name, _ := json.Marshal(k)
	value, _ := json.Marshal(v)
	b.Write(name)
	b.WriteByte(':')
	b.Write(value)
}

func (a present) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range slices.Sorted(maps.Keys(a.values)) {
		if i > 0 {
			b.WriteByte(',')
		}
		unlessNil(&b, k, a.values[k])
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
