package c20

import (
	"encoding/json"
	"io"
	"net/http"
)

// V1 renamed
type order struct {
	ID   int
	Name string
}

func Orders(w http.ResponseWriter, req *http.Request) {
	var os []order
	if err := json.NewDecoder(req.Body).Decode(&os); err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	json.NewEncoder(w).Encode(os)
}

// V2 method
type app struct{}

func (a *app) show(w http.ResponseWriter, r *http.Request) {
	b, err := json.Marshal(order{ID: 1})
	if err != nil {
		return
	}
	w.Write(b)
}

// V3 closure
func routes(mux *http.ServeMux) {
	mux.HandleFunc("/x", func(w http.ResponseWriter, r *http.Request) {
		var o order
		b, _ := io.ReadAll(r.Body)
		if json.Unmarshal(b, &o) != nil {
			return
		}
	})
}

// V4 generic
func decodeAll[T any](docs [][]byte) ([]T, error) {
	out := make([]T, len(docs))
	for i, d := range docs {
		if err := json.Unmarshal(d, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// V5 two functions, missed
func render(w io.Writer, v any) error             { return json.NewEncoder(w).Encode(v) }
func list(w http.ResponseWriter, r *http.Request) { render(w, []order{{ID: 2}}) }
