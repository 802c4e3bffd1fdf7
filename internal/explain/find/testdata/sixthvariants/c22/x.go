package c22

import (
	"database/sql"
	"reflect"
	"strconv"
)

// V1 generic
func Collect[T any](rows *sql.Rows) (all []T, err error) {
	for rows.Next() {
		var item T
		v := reflect.ValueOf(&item).Elem()
		dest := make([]any, v.NumField())
		for i := range dest {
			dest[i] = v.Field(i).Addr().Interface()
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, rows.Err()
}

// V2 method, switch
type columns struct{ names []string }

func (c *columns) Set(dst any, record []string) error {
	v := reflect.Indirect(reflect.ValueOf(dst))
	for i := range c.names {
		f := v.FieldByName(c.names[i])
		switch f.Kind() {
		case reflect.Int:
			n, err := strconv.ParseInt(record[i], 10, 64)
			if err != nil {
				return err
			}
			f.SetInt(n)
		case reflect.String:
			f.SetString(record[i])
		}
	}
	return nil
}
