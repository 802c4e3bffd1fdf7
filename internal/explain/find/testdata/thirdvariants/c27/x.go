package c27

import "database/sql"

// V2 method
type store struct{ db *sql.DB }

func (s *store) loadAll(ids []int) error {
	for _, id := range ids {
		rows, err := s.db.Query("select name from t where id = ?", id)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
		}
	}
	return nil
}
