package c21

import "reflect"

// V1 renamed

func sortKey(record any, column string) string {
	field := reflect.Indirect(reflect.ValueOf(record)).FieldByName(column)
	if field.Kind() != reflect.String {
		return ""
	}
	return field.String()
}
