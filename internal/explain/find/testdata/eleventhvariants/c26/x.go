package c26

import (
	"log/slog"
	"net/http"
)

// V3 closure, missed

func accessLog(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slog.Info("incoming", "method", r.Method, "url", r.URL.String(), "headers", r.Header)
		next.ServeHTTP(w, r)
	})
}
