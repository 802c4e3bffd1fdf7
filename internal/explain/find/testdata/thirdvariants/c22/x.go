package c22

import "reflect"

// V2 method
type mapper struct{ tag string }

func (m *mapper) fill(dst any, row map[string]any) {
	v := reflect.ValueOf(dst).Elem()
	t := v.Type()
	for i := 0; i < t.NumField(); i++ {
		if val, ok := row[t.Field(i).Tag.Get(m.tag)]; ok {
			v.Field(i).Set(reflect.ValueOf(val))
		}
	}
}

func (m *mapper) fillAll(dst []any, rows []map[string]any) {
	for i := range rows {
		m.fill(dst[i], rows[i])
	}
}
