package c21

import "reflect"

// V4 generic
func pick[T any](rows []T, column string) []any {
	out := make([]any, 0, len(rows))
	for i := range rows {
		out = append(out, reflect.ValueOf(rows[i]).FieldByName(column).Interface())
	}
	return out
}
