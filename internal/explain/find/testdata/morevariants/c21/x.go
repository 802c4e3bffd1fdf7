package c21

import (
	"reflect"
)

// V1 renamed
func attr(obj any, key string) any {
	val := reflect.ValueOf(obj)
	if fld := val.FieldByName(key); fld.IsValid() {
		return fld.Interface()
	}
	return nil
}

// V2 method
type binder struct{ target any }

func (b *binder) set(name string, n int64) {
	reflect.ValueOf(b.target).Elem().FieldByName(name).SetInt(n)
}

// V3 closure
func getter(name string) func(any) any {
	return func(v any) any {
		return reflect.Indirect(reflect.ValueOf(v)).FieldByName(name).Interface()
	}
}

// V4 generic
func Get[T any](v T, name string) (any, bool) {
	f := reflect.ValueOf(v).FieldByName(name)
	if !f.IsValid() {
		return nil, false
	}
	return f.Interface(), true
}

// V5 two functions
func field(rv reflect.Value, name string) reflect.Value { return rv.FieldByName(name) }
func lookup(v any, name string) any                     { return field(reflect.ValueOf(v), name).Interface() }
