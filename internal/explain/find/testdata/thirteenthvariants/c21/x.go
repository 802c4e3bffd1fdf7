package c21

import (
	"fmt"
	"reflect"
	"sort"
)

// V1 generic code

func sortByField[T any](rows []T, field string) error {
	var failed error
	sort.SliceStable(rows, func(i, j int) bool {
		a := reflect.ValueOf(rows[i]).FieldByName(field)
		b := reflect.ValueOf(rows[j]).FieldByName(field)
		if !a.IsValid() || !b.IsValid() {
			failed = fmt.Errorf("no field %q", field)
			return false
		}
		switch a.Kind() {
		case reflect.String:
			return a.String() < b.String()
		case reflect.Int, reflect.Int64:
			return a.Int() < b.Int()
		}
		return false
	})
	return failed
}
