package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"github.com/pawl-dev/pawl/internal/words"
)

// JSON writes v indented, with a newline at the end, and with "<", ">" and "&"
// as they are.
//
// Infinities and figures that are not numbers, for which JSON has no word,
// become null: the end of an interval that is still open, or a figure that was
// not measured. That holds too for the largest float64, the form in which the
// store keeps infinity. A list without elements is [], also where it is nil: who
// reads it goes through it without a look. v is not changed.
func JSON(w io.Writer, v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if rv := reflect.ValueOf(v); rv.IsValid() {
		v = mark(rv).Interface()
	}
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encoding as JSON: %w", err)
	}
	if _, err := w.Write(null(buf.Bytes())); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

// marker stands for null between the copy and the text. It is written with an
// exponent that no measured figure has.
const marker = -1.2345678901234567e+307

var markerText = []byte("-1.2345678901234567e+307")

// mark returns a copy of v with the marker in place of what JSON cannot say.
// Unexported fields are shared with v: encoding/json does not look at them.
func mark(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Float64:
		if words.Unbounded(v.Float()) {
			return reflect.ValueOf(marker).Convert(v.Type())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(mark(v.Elem()))
			return p
		}
	case reflect.Interface:
		if !v.IsNil() {
			c := reflect.New(v.Type()).Elem()
			c.Set(mark(v.Elem()))
			return c
		}
	case reflect.Struct:
		return markStruct(v)
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			for i := range v.Len() {
				c.Index(i).Set(mark(v.Index(i)))
			}
			return c
		}
	case reflect.Array:
		c := reflect.New(v.Type()).Elem()
		for i := range v.Len() {
			c.Index(i).Set(mark(v.Index(i)))
		}
		return c
	case reflect.Map:
		if !v.IsNil() {
			c := reflect.MakeMapWithSize(v.Type(), v.Len())
			for it := v.MapRange(); it.Next(); {
				c.SetMapIndex(it.Key(), mark(it.Value()))
			}
			return c
		}
	}
	return v
}

func markStruct(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	for i := range c.NumField() {
		if v.Type().Field(i).IsExported() {
			c.Field(i).Set(mark(v.Field(i)))
		}
	}
	return c
}

// null replaces the marker by null where it stands as a value and not inside a
// string.
func null(text []byte) []byte {
	if !bytes.Contains(text, markerText) {
		return text
	}
	var out []byte
	inString := false
	for i := 0; i < len(text); i++ {
		switch {
		case inString && text[i] == '\\':
			out = append(out, text[i])
			i++
		case text[i] == '"':
			inString = !inString
		case !inString && bytes.HasPrefix(text[i:], markerText):
			out = append(out, "null"...)
			i += len(markerText) - 1
			continue
		}
		out = append(out, text[i])
	}
	return out
}
