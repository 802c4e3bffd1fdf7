package c22

import (
	"reflect"
)

// V1 renamed
func scanInto(dest any, record map[string]any) {
	v := reflect.ValueOf(dest).Elem()
	for col, val := range record {
		f := v.FieldByName(col)
		if f.IsValid() && f.CanSet() {
			f.Set(reflect.ValueOf(val))
		}
	}
}

// V2 method
type mapper struct{ rows []map[string]any }

func (m *mapper) load(out any) {
	sv := reflect.ValueOf(out).Elem()
	for _, row := range m.rows {
		e := reflect.New(sv.Type().Elem()).Elem()
		for i := 0; i < e.NumField(); i++ {
			if v, ok := row[e.Type().Field(i).Name]; ok {
				e.Field(i).Set(reflect.ValueOf(v))
			}
		}
		sv.Set(reflect.Append(sv, e))
	}
}

// V3 closure
func assign() func(dst any, cols []string, vals []any) {
	return func(dst any, cols []string, vals []any) {
		rv := reflect.ValueOf(dst).Elem()
		for i, c := range cols {
			rv.FieldByName(c).Set(reflect.ValueOf(vals[i]))
		}
	}
}

// V4 generic
func MapRows[T any](rows []map[string]any) []T {
	out := make([]T, len(rows))
	for i, row := range rows {
		v := reflect.ValueOf(&out[i]).Elem()
		for k, x := range row {
			v.FieldByName(k).Set(reflect.ValueOf(x))
		}
	}
	return out
}

// V5 two functions
func setField(v reflect.Value, name string, x any) {
	if f := v.FieldByName(name); f.CanSet() {
		f.Set(reflect.ValueOf(x))
	}
}
func fillRow(dst any, row map[string]any) {
	v := reflect.ValueOf(dst).Elem()
	for name, x := range row {
		setField(v, name, x)
	}
}
