package c22

import (
	"database/sql"
	"net/http"
	"reflect"
)

type Account struct {
	ID    int64
	Owner string
	Open  bool
}

// V1 generic and two functions, below a handler
type Server struct {
	db *sql.DB
}

func (s *Server) List(w http.ResponseWriter, r *http.Request) {
	rows, err := s.db.QueryContext(r.Context(), "SELECT id, owner, open FROM accounts")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer rows.Close()
	accounts, err := collect[Account](rows)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	for _, a := range accounts {
		_, _ = w.Write([]byte(a.Owner + "\n"))
	}
}

func collect[T any](rows *sql.Rows) (all []T, err error) {
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
