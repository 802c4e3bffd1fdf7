package c20

import (
	"encoding/json"
	"io"
	"net/http"
)

// V1 closure
type status struct {
	Name  string
	Queue int
}

func Register(mux *http.ServeMux, now func() status) {
	mux.HandleFunc("/status", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(now()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}

// V2 decoder in a loop
type event struct {
	Kind  string
	Bytes int64
}

func Sum(r io.Reader) (sum int64, err error) {
	dec := json.NewDecoder(r)
	for dec.More() {
		var e event
		if err := dec.Decode(&e); err != nil {
			return sum, err
		}
		if e.Kind != "read" {
			continue
		}
		sum += e.Bytes
	}
	return sum, nil
}
