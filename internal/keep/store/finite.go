package store

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
)

// encode is json.Marshal for values that may hold infinities and figures that
// are not numbers; the package comment says what becomes of them. v is not
// changed.
func encode(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	var bad *json.UnsupportedValueError
	if !errors.As(err, &bad) {
		return data, err
	}
	return json.Marshal(finite(reflect.ValueOf(v)).Interface())
}

// finite returns a copy of v without infinities and figures that are not
// numbers. Values that cannot be reached from outside are shared with v.
func finite(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return reflect.ValueOf(clamp(v.Float())).Convert(v.Type())
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(finite(v.Elem()))
		return p
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		for i := range c.NumField() {
			if c.Type().Field(i).IsExported() {
				c.Field(i).Set(finite(v.Field(i)))
			}
		}
		return c
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(finite(v.Index(i)))
		}
		return c
	default:
		// No value that travels has floats in maps or behind interfaces.
		return v
	}
}

func clamp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return 0
	case math.IsInf(x, 1):
		return math.MaxFloat64
	case math.IsInf(x, -1):
		return -math.MaxFloat64
	}
	return x
}
