package c26

import (
	"log/slog"
	"net/http"
)

// V1 closure of a method, LogAttrs, missed
type Access struct {
	log *slog.Logger
}

func (a *Access) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.log.LogAttrs(r.Context(), slog.LevelInfo, "request",
			slog.String("method", r.Method),
			slog.String("url", r.URL.String()),
			slog.Any("header", r.Header))
		next.ServeHTTP(w, r)
	})
}
