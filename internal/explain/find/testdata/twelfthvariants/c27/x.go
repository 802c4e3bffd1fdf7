package c27

import (
	"database/sql"
	"fmt"
)

// V2 method
type reports struct {
	db     *sql.DB
	tables []string
}

func (r *reports) rowCounts() (map[string]int, error) {
	counts := make(map[string]int, len(r.tables))
	for _, table := range r.tables {
		rows, err := r.db.Query("SELECT id FROM " + table)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", table, err)
		}
		defer rows.Close()
		for rows.Next() {
			counts[table]++
		}
	}
	return counts, nil
}
