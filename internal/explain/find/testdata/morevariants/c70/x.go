package c70

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"sort"
	"strings"
)

// V1 renamed
type orderedDoc map[string]any

func (o orderedDoc) MarshalJSON() ([]byte, error) {
	ks := make([]string, 0, len(o))
	for k := range o {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range ks {
		if i > 0 {
			b.WriteByte(',')
		}
		kb, err := json.Marshal(k)
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

// V2 method
type props struct{ m map[string]json.RawMessage }

func (p *props) MarshalJSON() ([]byte, error) {
	names := slices.Sorted(maps.Keys(p.m))
	out := []byte{'{'}
	for i, n := range names {
		if i > 0 {
			out = append(out, ',')
		}
		k, _ := json.Marshal(n)
		v, err := json.Marshal(p.m[n])
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, k...), ':'), v...)
	}
	return append(out, '}'), nil
}

// V3 closure, missed
type schema map[string]any

func (s schema) MarshalJSON() ([]byte, error) {
	keys := make([]string, 0, len(s))
	for k := range s {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	var sb strings.Builder
	write := func(v any) error {
		b, err := json.Marshal(v)
		sb.Write(b)
		return err
	}
	sb.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			sb.WriteByte(',')
		}
		if err := write(k); err != nil {
			return nil, err
		}
		sb.WriteByte(':')
		if err := write(s[k]); err != nil {
			return nil, err
		}
	}
	sb.WriteByte('}')
	return []byte(sb.String()), nil
}

// V4 generic
type Sorted[V any] map[string]V

func (s Sorted[V]) MarshalJSON() ([]byte, error) {
	keys := slices.Sorted(maps.Keys(s))
	var buf bytes.Buffer
	buf.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			buf.WriteByte(',')
		}
		kb, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		buf.Write(kb)
		buf.WriteByte(':')
		vb, err := json.Marshal(s[k])
		if err != nil {
			return nil, err
		}
		buf.Write(vb)
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// V5 two functions
type spec map[string]any

func member(b *bytes.Buffer, k string, v any) error {
	kb, err := json.Marshal(k)
	if err != nil {
		return err
	}
	vb, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b.Write(kb)
	b.WriteByte(':')
	b.Write(vb)
	return nil
}
func (s spec) MarshalJSON() ([]byte, error) {
	keys := make([]string, 0, len(s))
	for k := range s {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := member(&b, k, s[k]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
