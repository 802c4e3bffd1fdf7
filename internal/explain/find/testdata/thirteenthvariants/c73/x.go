package c73

import "fmt"

// V1 across two functions

type table struct {
	columns []string
	rows    [][]string
}

func columnPositions(columns []string) map[string]int {
	positions := make(map[string]int, len(columns))
	for i, c := range columns {
		positions[c] = i
	}
	return positions
}

func (t *table) find(key, want string) ([]string, error) {
	at, ok := columnPositions(t.columns)[key]
	if !ok {
		return nil, fmt.Errorf("no column %q", key)
	}
	for _, row := range t.rows {
		if at < len(row) && row[at] == want {
			return row, nil
		}
	}
	return nil, nil
}
