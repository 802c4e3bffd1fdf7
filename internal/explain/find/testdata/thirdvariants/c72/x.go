package c72

import (
	"encoding/json"
	"net/http"
)

// V2 method
type schema struct {
	Title      string                     `json:"title"`
	Fields     []map[string]any           `json:"fields"`
	Defs       map[string]json.RawMessage `json:"defs"`
	PrimaryKey []string                   `json:"primaryKey"`
	Notes      []string                   `json:"notes"`
}

type tables struct{ raw map[string][]byte }

func (t *tables) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var s schema
	if err := json.Unmarshal(t.raw[r.URL.Path], &s); err != nil {
		return
	}
	for _, k := range s.PrimaryKey {
		w.Write([]byte(k))
	}
}
