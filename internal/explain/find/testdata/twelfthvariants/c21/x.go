package c21

import (
	"fmt"
	"reflect"
)

// V2 method
type exporter struct {
	columns []string
}

func (e *exporter) row(record any) ([]string, error) {
	v := reflect.ValueOf(record)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	cells := make([]string, 0, len(e.columns))
	for _, column := range e.columns {
		field := v.FieldByName(column)
		if !field.IsValid() {
			return nil, fmt.Errorf("%s has no column %s", v.Type(), column)
		}
		cells = append(cells, fmt.Sprint(field.Interface()))
	}
	return cells, nil
}
