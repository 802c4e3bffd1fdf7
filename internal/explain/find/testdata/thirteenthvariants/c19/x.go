package c19

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// V1 renamed

type pushStore interface {
	Record(repo, branch string, commits int) error
}

func pushHook(store pushStore) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var event map[string]any
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&event); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		repo, _ := event["repository"].(string)
		branch, _ := event["ref"].(string)
		size, _ := event["size"].(float64)
		if repo == "" || branch == "" {
			http.Error(w, "repository and ref are required", http.StatusUnprocessableEntity)
			return
		}
		if err := store.Record(repo, branch, int(size)); err != nil {
			http.Error(w, fmt.Sprintf("record: %v", err), http.StatusInternalServerError)
		}
	}
}
