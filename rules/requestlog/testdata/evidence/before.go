// Package evidence answers requests, and says so.
package evidence

import (
	"log/slog"
	"net/http"
)

// Handler greets, and logs each request.
type Handler struct{ Logger *slog.Logger }

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.Logger.Info("request", "url", r.URL.String(), "headers", r.Header)
	_, _ = w.Write([]byte("hello " + r.URL.Path))
}
