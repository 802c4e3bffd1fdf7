package c74

import (
	"encoding/csv"
	"net/http"
)

// V5 two functions

type sheet struct {
	header []string
	rows   [][]string
}

func (s *sheet) resolve(columns []string) ([]int, bool) {
	byName := make(map[string]int, len(s.header))
	for i, name := range s.header {
		byName[name] = i
	}
	indices := make([]int, len(columns))
	for i, c := range columns {
		at, ok := byName[c]
		if !ok {
			return nil, false
		}
		indices[i] = at
	}
	return indices, true
}

func (s *sheet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	indices, ok := s.resolve(r.URL.Query()["column"])
	if !ok {
		http.Error(w, "unknown column", http.StatusBadRequest)
		return
	}
	out := csv.NewWriter(w)
	line := make([]string, len(indices))
	for _, row := range s.rows {
		for i, at := range indices {
			line[i] = row[at]
		}
		_ = out.Write(line)
	}
	out.Flush()
}
