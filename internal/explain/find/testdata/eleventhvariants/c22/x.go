package c22

import (
	"database/sql"
	"reflect"
)

// V3 closure

type account struct {
	ID    int64
	Email string
	Plan  string
}

func listAccounts(rows *sql.Rows) ([]account, error) {
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	fill := func(dst any, values []any) {
		target := reflect.ValueOf(dst).Elem()
		for i, column := range columns {
			field := target.FieldByName(column)
			if field.IsValid() {
				field.Set(reflect.ValueOf(values[i]).Elem().Convert(field.Type()))
			}
		}
	}
	var accounts []account
	values := []any{new(int64), new(string), new(string)}
	for rows.Next() {
		if err := rows.Scan(values...); err != nil {
			return nil, err
		}
		var a account
		fill(&a, values)
		accounts = append(accounts, a)
	}
	return accounts, rows.Err()
}
