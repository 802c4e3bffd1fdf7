package scrub

import (
	"reflect"
	"strings"
)

// Value returns a copy of v, a value of package model or a slice of such, with
// each text in it scrubbed, and how many secrets were taken out. v itself is
// not changed; what holds none may be shared with it. Texts that are program
// are left as they are, since a diff or an edit with a mark in it does not
// apply: the field New of an Edit. So are names of files, directories, commits and
// benchmarks, by which things are found.
func Value[T any](c *Scrubber, v T) (T, int) {
	w := walker{c: c}
	out := w.walk(reflect.ValueOf(&v).Elem(), "")
	return out.Interface().(T), w.n
}

type walker struct {
	c *Scrubber
	n int
}

// exempt are the fields that are never changed.
var exempt = map[string]bool{
	"New": true, "File": true, "Dir": true, "Commit": true, "Head": true, "ID": true, "Pkg": true, "Name": true, "Func": true,
	"Module": true, "Branch": true, "Report": true, "Patches": true, "Kind": true, "Schema": true, "Merge": true, "Drop": true,
}

func (w *walker) walk(v reflect.Value, field string) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		return w.text(v, field)
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(w.walk(v.Elem(), field))
		return out
	case reflect.Slice:
		if v.IsNil() || !texts(v.Type().Elem()) {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(w.walk(v.Index(i), field))
		}
		return out
	case reflect.Map:
		if v.IsNil() || v.Type().Key().Kind() != reflect.String {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), w.entry(it.Key().String(), it.Value()))
		}
		return out
	case reflect.Struct:
		if !texts(v.Type()) {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !exempt[f.Name] {
				out.Field(i).Set(w.walk(v.Field(i), f.Name))
			}
		}
		return out
	}
	return v
}

// entry scrubs a value of a map, whose key may say that it is a secret.
func (w *walker) entry(key string, v reflect.Value) reflect.Value {
	if v.Kind() == reflect.String && v.String() != "" && secretName(key) && v.String() != mark {
		w.n++
		return reflect.ValueOf(mark).Convert(v.Type())
	}
	return w.walk(v, key)
}

func (w *walker) text(v reflect.Value, field string) reflect.Value {
	if exempt[field] || strings.TrimSpace(v.String()) == "" {
		return v
	}
	s, n := w.c.Text(v.String())
	if n == 0 {
		return v
	}
	w.n += n
	return reflect.ValueOf(s).Convert(v.Type())
}

// texts reports whether values of a type may hold text that is walked.
func texts(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() && texts(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
