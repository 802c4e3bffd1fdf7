package a

import (
	"bytes"
	"encoding/json"
	"sort"
)

// The seed's own shape: a tree of these is built for each document.
type sortedMap struct {
	keys []string
	vals map[string]any
}

func (s sortedMap) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range s.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		kb, err := json.Marshal(k) // want `encoding/json sorts the keys of a map itself`
		if err != nil {
			return nil, err
		}
		b.Write(kb)
		b.WriteByte(':')
		vb, err := json.Marshal(s.vals[k])
		if err != nil {
			return nil, err
		}
		b.Write(vb)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func sortRecursive(x any) any {
	m, ok := x.(map[string]any)
	if !ok {
		return x
	}
	s := sortedMap{vals: make(map[string]any, len(m))}
	for k, v := range m {
		s.keys = append(s.keys, k)
		s.vals[k] = sortRecursive(v)
	}
	sort.Strings(s.keys)
	return s
}

// An exported type's method is part of what others see: no fix.
type Labels map[string]string

func (l Labels) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	first := true
	for k, v := range l {
		if !first {
			out = append(out, ',')
		}
		first = false
		kb, err := json.Marshal(k) // want `for each key and value of l`
		if err != nil {
			return nil, err
		}
		vb, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, kb...), ':'), vb...)
	}
	return append(out, '}'), nil
}

// What follows is left alone.

// ordered keeps its members in the order in which they came.
type ordered struct {
	keys []string
	vals map[string]json.RawMessage
}

func (o *ordered) Set(k string, v json.RawMessage) {
	o.keys = append(o.keys, k)
	o.vals[k] = v
}

func (o *ordered) Sort() { sort.Strings(o.keys) }

func (o *ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		kb, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		vb, err := json.Marshal(o.vals[k])
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

// sparse leaves empty members out.
type sparse map[string]string

func (s sparse) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for k, v := range s {
		if v == "" {
			continue
		}
		kb, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		vb, err := json.Marshal(v)
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

// typed writes a member beside the map's.
type typed map[string]int

func (t typed) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"kind":"typed"`)
	for k, v := range t {
		b.WriteByte(',')
		kb, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		vb, err := json.Marshal(v)
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

// raw hands its values on as they are, without escapes.
type raw map[string]json.RawMessage

func (r raw) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for k, v := range r {
		kb, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		b.Write(kb)
		b.WriteByte(':')
		b.Write(v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// unescaped writes < and > as they are.
type unescaped map[string]any

func (u unescaped) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for k, v := range u {
		kb, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		b.Write(kb)
		b.WriteByte(':')
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// prefixed renames its members.
type prefixed map[string]int

func (m prefixed) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for k, v := range m {
		kb, err := json.Marshal("x-" + k)
		if err != nil {
			return nil, err
		}
		vb, err := json.Marshal(v)
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
