// Package evidence answers requests in JSON.
package evidence

import (
	"encoding/json"
	"net/http"
)

// An Answer is what is sent.
type Answer struct{ User string }

// Serve sends an answer.
func Serve(w http.ResponseWriter, r *http.Request) {
	data, err := json.Marshal(Answer{User: r.URL.Path})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(data)
}
