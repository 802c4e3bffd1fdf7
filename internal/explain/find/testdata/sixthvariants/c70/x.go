package c70

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// V1 other calls, append
type tags map[string]string

func (t tags) MarshalJSON() ([]byte, error) {
	names := slices.Sorted(maps.Keys(t))
	buf := []byte{'{'}
	for i, n := range names {
		if i > 0 {
			buf = append(buf, ',')
		}
		k, err := json.Marshal(n)
		if err != nil {
			return nil, err
		}
		v, err := json.Marshal(t[n])
		if err != nil {
			return nil, err
		}
		buf = append(buf, k...)
		buf = append(buf, ':')
		buf = append(buf, v...)
	}
	return append(buf, '}'), nil
}

// V2 two functions, field
type settings struct{ values map[string]any }

func member(b *bytes.Buffer, key string, value any) error {
	k, err := json.Marshal(key)
	if err != nil {
		return err
	}
	v, err := json.Marshal(value)
	if err != nil {
		return err
	}
	b.Write(k)
	b.WriteByte(':')
	b.Write(v)
	return nil
}

func (s *settings) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	sep := byte('{')
	for _, key := range slices.Sorted(maps.Keys(s.values)) {
		b.WriteByte(sep)
		if err := member(&b, key, s.values[key]); err != nil {
			return nil, err
		}
		sep = ','
	}
	if sep == '{' {
		b.WriteByte(sep)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
