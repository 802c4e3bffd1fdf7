package c26

import (
	"log/slog"
	"net/http"
)

// V1 renamed
func index(w http.ResponseWriter, req *http.Request) {
	slog.Info("got", "uri", req.URL.String(), "hdr", req.Header)
}

// V2 method
type app struct{ lg *slog.Logger }

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.lg.Info("request", "method", r.Method, "url", r.URL.String(), "headers", r.Header)
	w.WriteHeader(204)
}

// V3 closure
func logging(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slog.Info("request", "url", r.URL.String(), "ua", r.UserAgent())
		next.ServeHTTP(w, r)
	})
}

// V4 generic
func Handle[T any](f func(T) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		slog.Info("handle", "url", r.URL.String(), "headers", r.Header)
		var v T
		f(v)
	}
}

// V5 two functions
func logRequest(r *http.Request) { slog.Info("req", "url", r.URL.String(), "headers", r.Header) }
func home(w http.ResponseWriter, r *http.Request) {
	logRequest(r)
	w.WriteHeader(200)
}
