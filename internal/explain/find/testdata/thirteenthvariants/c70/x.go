package c70

import (
	"bytes"
	"encoding/json"
	"slices"
)

// V1 renamed

type properties map[string]any

func (p properties) MarshalJSON() ([]byte, error) {
	names := make([]string, 0, len(p))
	for name := range p {
		names = append(names, name)
	}
	slices.Sort(names)
	var out bytes.Buffer
	out.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			out.WriteByte(',')
		}
		label, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		out.Write(label)
		out.WriteByte(':')
		encoded, err := json.Marshal(p[name])
		if err != nil {
			return nil, err
		}
		out.Write(encoded)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
