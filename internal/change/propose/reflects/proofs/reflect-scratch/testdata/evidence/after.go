// Package evidence fills what reflection knows.
package evidence

import (
	"reflect"
	"strconv"
)

// Fill appends to the slice that to points to what texts say: numbers or texts.
func Fill(to any, texts []string) {
	out := reflect.ValueOf(to).Elem()
	typ := out.Type().Elem()
	list := reflect.MakeSlice(out.Type(), 0, len(texts))
	var e reflect.Value
	for _, text := range texts {
		if e.IsValid() {
			e.SetZero()
		} else {
			e = reflect.New(typ).Elem()
		} // target
		if set(e, text) {
			list = reflect.Append(list, e)
		}
	}
	out.Set(list)
}

func set(v reflect.Value, text string) bool {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return false
		}
		v.SetInt(int64(n))
	}
	return true
}
