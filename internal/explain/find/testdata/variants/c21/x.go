package c21

import (
	"reflect"
)

// V1 renamed
func attr(o interface{}, n string) string { return reflect.ValueOf(o).FieldByName(n).String() }

// V2 method
type ex struct{ v reflect.Value }

func (e ex) get(n string) any { return reflect.Indirect(e.v).FieldByName(n).Interface() }

// V3 closure
func getter(n string) func(any) any {
	return func(o any) any {
		f, ok := reflect.TypeOf(o).FieldByName(n)
		if !ok {
			return nil
		}
		return f.Tag
	}
}

// V4 generic
func prop[T any](o T, n string) (x any) {
	v := reflect.ValueOf(o)
	if f := v.FieldByName(n); f.IsValid() {
		x = f.Interface()
	}
	return
}

// V5 two functions
func lookup(v reflect.Value, n string) reflect.Value { return v.MethodByName(n) }
func call(o any, n string)                           { lookup(reflect.ValueOf(o), n).Call(nil) }
