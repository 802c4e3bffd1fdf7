package x

import (
	"database/sql"
	"reflect"
)

// V2 in a method
type mapper struct{ db *sql.DB }

func (m *mapper) all(q string, dest any) error {
	rows, err := m.db.Query(q)
	if err != nil {
		return err
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return err
	}
	out := reflect.ValueOf(dest).Elem()
	for rows.Next() {
		item := reflect.New(out.Type().Elem()).Elem()
		ptrs := make([]any, len(cols))
		for i, c := range cols {
			ptrs[i] = item.FieldByName(c).Addr().Interface()
		}
		if err := rows.Scan(ptrs...); err != nil {
			return err
		}
		out.Set(reflect.Append(out, item))
	}
	return rows.Err()
}
