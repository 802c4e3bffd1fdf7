package c20

import (
	"encoding/json"
	"net/http"
)

// V1 closure
type user struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func Routes(mux *http.ServeMux, find func(string) (user, bool)) {
	mux.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		u, ok := find(r.PathValue("id"))
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(u); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}

// V2 generic
func Lines[T any](items []T, write func([]byte) error) error {
	for _, it := range items {
		line, err := json.Marshal(it)
		if err != nil {
			return err
		}
		if err := write(line); err != nil {
			return err
		}
	}
	return nil
}

// V3 two functions
type event struct {
	Kind string `json:"kind"`
	At   int64  `json:"at"`
}

type consumer struct{ last map[string]int64 }

func (c *consumer) apply(msg []byte) error {
	var e event
	if err := json.Unmarshal(msg, &e); err != nil {
		return err
	}
	c.last[e.Kind] = max(c.last[e.Kind], e.At)
	return nil
}

func (c *consumer) Run(msgs <-chan []byte) error {
	for m := range msgs {
		if err := c.apply(m); err != nil {
			return err
		}
	}
	return nil
}
