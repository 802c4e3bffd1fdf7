package a

import (
	"database/sql"
	"reflect"
)

func mapRow(dst any, row map[string]any) {
	rv := reflect.ValueOf(dst).Elem()
	for name, v := range row {
		rv.FieldByName(name).Set(reflect.ValueOf(v)) // want `a field is set by reflection for each column of each row: a scan into the fields of a known type costs a fraction`
	}
}

type mapper struct{ index map[string]int }

func (m *mapper) fill(dst any, names []string, values []any) {
	rv := reflect.ValueOf(dst).Elem()
	for i, name := range names {
		f := rv.Field(m.index[name])
		if f.CanSet() {
			f.Set(reflect.ValueOf(values[i])) // want `a field is set by reflection`
		}
	}
}

func scan[T any](rows *sql.Rows) (out []T, err error) {
	for rows.Next() {
		var t T
		rv := reflect.ValueOf(&t).Elem()
		to := make([]any, rv.NumField())
		for i := range to {
			to[i] = rv.Field(i).Addr().Interface() // want `a field is set by reflection`
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, rows.Err()
}

func closure(rv reflect.Value) func([]int64) {
	return func(ns []int64) {
		for i, n := range ns {
			rv.Field(i).SetInt(n) // want `a field is set by reflection`
		}
	}
}

func each(dst any, values map[string]any) {
	v := reflect.ValueOf(dst).Elem()
	for name, x := range values {
		set(v, name, x)
	}
}

func set(v reflect.Value, name string, x any) {
	if f := v.FieldByName(name); f.CanSet() {
		f.Set(reflect.ValueOf(x)) // want `a field is set by reflection`
	}
}

// What follows is left alone.

func one(rv reflect.Value, n int64) { rv.Field(0).SetInt(n) }

func twice(rv reflect.Value, all []any) {
	one(rv, 1)
	for range all {
		other(all[0])
	}
}

func other(x any) { reflect.ValueOf(x).Field(0).SetInt(1) }

func elements(rv reflect.Value) {
	for i := range rv.Len() {
		rv.Index(i).SetInt(0)
	}
}

func read(rv reflect.Value) (sum int64) {
	for i := range rv.NumField() {
		sum += rv.Field(i).Int()
	}
	return sum
}

type values []reflect.Value

func (v values) Field(i int) reflect.Value { return v[i] }

func own(v values) {
	for i := range v {
		v.Field(i).SetInt(1)
	}
}

var config struct{ A, B int64 }

func init() {
	rv := reflect.ValueOf(&config).Elem()
	for i := range rv.NumField() {
		rv.Field(i).SetInt(1)
	}
}
