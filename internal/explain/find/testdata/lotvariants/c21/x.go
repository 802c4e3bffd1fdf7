package x

import (
	"reflect"
)

// V5 across two functions
func column(rows []any, name string) (out []string) {
	for _, r := range rows {
		out = append(out, pick(reflect.ValueOf(r), name))
	}
	return out
}
func pick(v reflect.Value, name string) string { return v.FieldByName(name).String() }
