package c20

import (
	"encoding/json"
)

// V1 renamed, missed
type Marshaler interface {
	Encode(v any) ([]byte, error)
	Decode(b []byte, v any) error
}
type stdCodec struct{}

func (stdCodec) Encode(v any) ([]byte, error) { return json.Marshal(v) }
func (stdCodec) Decode(b []byte, v any) error { return json.Unmarshal(b, v) }

// V2 method, missed
type wire struct{ indent bool }

func (w wire) Pack(v any) ([]byte, error)   { return json.Marshal(v) }
func (w wire) Unpack(p []byte, v any) error { return json.Unmarshal(p, v) }

// V3 closure, missed
var encodeJSON = func(v any) ([]byte, error) { return json.Marshal(v) }
var decodeJSON = func(b []byte, v any) error { return json.Unmarshal(b, v) }

// V4 generic, missed
func Enc[T any](v T) ([]byte, error)       { return json.Marshal(v) }
func Dec[T any](b []byte) (v T, err error) { err = json.Unmarshal(b, &v); return v, err }

// V5 two functions, missed
func toJSON(v any) ([]byte, error)   { return json.Marshal(v) }
func fromJSON(b []byte, v any) error { return json.Unmarshal(b, v) }
