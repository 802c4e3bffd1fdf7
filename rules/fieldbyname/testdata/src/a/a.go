package a

import "reflect"

func get(v any, name string) (any, bool) {
	f := reflect.ValueOf(v).FieldByName(name) // want `FieldByName searches by name on each call: a switch, or an index kept for each type, does not`
	if !f.IsValid() {
		return nil, false
	}
	return f.Interface(), true
}

type caller struct{ v reflect.Value }

func (c *caller) call(name string) {
	c.v.MethodByName(name).Call(nil) // want `MethodByName searches by name`
}

func index(t reflect.Type, name string) []int {
	f, _ := t.FieldByName(name) // want `FieldByName searches`
	return f.Index
}

func closure(v reflect.Value) func(string) any {
	return func(name string) any {
		return v.FieldByName(name).Interface() // want `FieldByName searches`
	}
}

func generic[T any](v T, match func(string) bool) bool {
	return reflect.ValueOf(v).FieldByNameFunc(match).IsValid() // want `FieldByNameFunc searches`
}

func outer(names []string, v any) (n int) {
	for _, name := range names {
		if _, ok := get(v, name); ok {
			n++
		}
	}
	return n
}

// What follows is left alone.

var known = reflect.TypeOf(caller{}).NumField()

func first(v reflect.Value) reflect.Value { return v.Field(0) }

func init() {
	setup()
	println(reflect.ValueOf(known).MethodByName("x").IsValid())
}

func setup() bool { return reflect.ValueOf(known).MethodByName("y").IsValid() }

type lookup struct{}

func (lookup) FieldByName(name string) string { return name }

func other(l lookup) string { return l.FieldByName("x") }
