package c73

import "errors"

// V1 closure
func Reader(header []string) func(row []string) (name, mail string, err error) {
	return func(row []string) (string, string, error) {
		column := make(map[string]int, len(header))
		for i, h := range header {
			column[h] = i
		}
		n, ok := column["name"]
		m, ok2 := column["mail"]
		if !ok || !ok2 {
			return "", "", errors.New("columns missing")
		}
		return row[n], row[m], nil
	}
}
