package c22

import (
	"database/sql"
	"reflect"
)

// V1 renamed
func scan(rows *sql.Rows, into any) error {
	v := reflect.ValueOf(into).Elem()
	ptrs := make([]any, v.NumField())
	for rows.Next() {
		for i := range ptrs {
			ptrs[i] = v.Field(i).Addr().Interface()
		}
		if err := rows.Scan(ptrs...); err != nil {
			return err
		}
	}
	return nil
}

// V2 method
type mapper struct{ cols []string }

func (m *mapper) fill(dst any, vals map[string]string) {
	rv := reflect.Indirect(reflect.ValueOf(dst))
	for i := 0; i < rv.NumField(); i++ {
		f := rv.Type().Field(i)
		if s, ok := vals[f.Tag.Get("db")]; ok {
			rv.Field(i).SetString(s)
		}
	}
}

// V3 closure
func binder(t reflect.Type) func(map[string]any) any {
	return func(row map[string]any) any {
		p := reflect.New(t)
		for k, x := range row {
			p.Elem().FieldByName(k).Set(reflect.ValueOf(x))
		}
		return p.Interface()
	}
}

// V4 generic
func rowsTo[T any](rows []map[string]any) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		v := reflect.ValueOf(&out[i]).Elem()
		t := v.Type()
		for j := range t.NumField() {
			v.Field(j).Set(reflect.ValueOf(r[t.Field(j).Name]))
		}
	}
	return out
}

// V5 two functions
func setField(v reflect.Value, i int, x any) { v.Field(i).Set(reflect.ValueOf(x)) }
func mapAll(dst []any, rows [][]any) {
	for k, r := range rows {
		v := reflect.ValueOf(dst[k]).Elem()
		for i, x := range r {
			setField(v, i, x)
		}
	}
}
