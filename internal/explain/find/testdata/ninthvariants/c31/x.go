package c31

import (
	"encoding/json"
	"io"
	"net/http"
)

// V1 two functions
type settings struct {
	Theme string `json:"theme"`
	Zoom  int    `json:"zoom"`
}

func body(r *http.Request) ([]byte, error) {
	defer r.Body.Close()
	return io.ReadAll(r.Body)
}

func Save(store func(settings)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, err := body(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var s settings
		if err := json.Unmarshal(data, &s); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		store(s)
	}
}
