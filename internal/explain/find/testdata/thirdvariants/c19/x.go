package c19

import (
	"encoding/json"
	"net/http"
)

// V2 method
type hooks struct{ seen map[string]int }

func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := make(map[string]interface{})
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	event, _ := body["event"].(string)
	repo, _ := body["repository"].(string)
	h.seen[event+repo]++
}
