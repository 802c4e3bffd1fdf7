package c22

import (
	"database/sql"
	"reflect"
)

// V1 two functions
type user struct {
	ID   int64
	Name string
}

func targets(v reflect.Value) []any {
	ptrs := make([]any, v.NumField())
	for i := range ptrs {
		ptrs[i] = v.Field(i).Addr().Interface()
	}
	return ptrs
}

func Users(rows *sql.Rows) ([]user, error) {
	var users []user
	for rows.Next() {
		var u user
		if err := rows.Scan(targets(reflect.ValueOf(&u).Elem())...); err != nil {
			return nil, err
		}
		users = append(users, u)
	}
	return users, rows.Err()
}
