package c70

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// V1 renamed
type obj map[string]interface{}

func (o obj) MarshalJSON() ([]byte, error) {
	ks := []string{}
	for k := range o {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	out := []byte("{")
	for i, k := range ks {
		if i > 0 {
			out = append(out, ',')
		}
		kk, _ := json.Marshal(k)
		out = append(append(out, kk...), ':')
		vv, err := json.Marshal(o[k])
		if err != nil {
			return nil, err
		}
		out = append(out, vv...)
	}
	return append(out, '}'), nil
}

// V2 method on struct, missed
type ord struct {
	keys []string
	vals map[string]int
}

func (o *ord) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("{")
	for i, k := range o.keys {
		if i > 0 {
			b.WriteString(",")
		}
		kb, _ := json.Marshal(k)
		b.Write(kb)
		b.WriteString(":")
		vb, _ := json.Marshal(o.vals[k])
		b.Write(vb)
	}
	b.WriteString("}")
	return b.Bytes(), nil
}

// V3 closure, missed
type cm map[string]string

func (c cm) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	n := 0
	put := func(k, v string) {
		if n > 0 {
			b.WriteByte(',')
		}
		n++
		kb, _ := json.Marshal(k)
		vb, _ := json.Marshal(v)
		fmt.Fprintf(&b, "%s:%s", kb, vb)
	}
	b.WriteByte('{')
	for k, v := range c {
		put(k, v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// V4 generic
type gm[V any] map[string]V

func (g gm[V]) MarshalJSON() ([]byte, error) {
	ks := slices.Sorted(maps.Keys(g))
	var sb strings.Builder
	sb.WriteByte('{')
	for i, k := range ks {
		if i > 0 {
			sb.WriteByte(',')
		}
		kb, _ := json.Marshal(k)
		sb.Write(kb)
		sb.WriteByte(':')
		vb, err := json.Marshal(g[k])
		if err != nil {
			return nil, err
		}
		sb.Write(vb)
	}
	sb.WriteByte('}')
	return []byte(sb.String()), nil
}

// V5 two functions, missed
type tm map[string]any

func (t tm) MarshalJSON() ([]byte, error) { return encodeMap(t) }
func encodeMap(m map[string]any) ([]byte, error) {
	ks := make([]string, 0, len(m))
	for k := range m {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range ks {
		if i > 0 {
			b.WriteByte(',')
		}
		kb, _ := json.Marshal(k)
		b.Write(kb)
		b.WriteByte(':')
		vb, err := json.Marshal(m[k])
		if err != nil {
			return nil, err
		}
		b.Write(vb)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
