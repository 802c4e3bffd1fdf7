// Package evidence reads fields of a row by name.
package evidence

import "reflect"

// A Row is one of a table.
type Row struct {
	ID   int
	Name string
}

// Field returns the field of a row, and whether it has one of that name.
func Field(r Row, name string) (any, bool) {
	f := reflect.ValueOf(r).FieldByName(name)
	if !f.IsValid() {
		return nil, false
	}
	return f.Interface(), true
}
