package c26

import (
	"log/slog"
	"net/http"
	"time"
)

// V1 across two functions

type api struct {
	log  *slog.Logger
	next http.Handler
}

func (a *api) logRequest(r *http.Request, took time.Duration) {
	a.log.Info("handled request",
		"method", r.Method,
		"url", r.URL.String(),
		"headers", r.Header,
		"took", took)
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	a.next.ServeHTTP(w, r)
	a.logRequest(r, time.Since(began))
}
