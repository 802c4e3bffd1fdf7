// Package evidence makes accounts of the rows of a table.
package evidence

import "reflect"

// An Account is a row of the table, whose columns are named like its fields.
type Account struct {
	ID    int
	Owner string
	Open  bool
}

// Map returns the accounts in some rows.
func Map(rows []map[string]any) []Account {
	out := make([]Account, len(rows))
	for i, row := range rows {
		fill(&out[i], row)
	}
	return out
}

func fill(a *Account, row map[string]any) {
	rv := reflect.ValueOf(a).Elem()
	for name, v := range row {
		rv.FieldByName(name).Set(reflect.ValueOf(v))
	}
}
