package c24

import (
	"encoding/json"
	"log/slog"
	"net/http"
)

// V3 closure

type basket struct {
	Items []string
	Total int
}

func describe(b *basket) string {
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func checkout(logger *slog.Logger, load func(*http.Request) *basket) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b := load(r)
		logger.Debug("checkout", "basket", describe(b))
		if b.Total == 0 {
			http.Error(w, "empty basket", http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}
}
