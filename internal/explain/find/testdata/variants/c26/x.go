package c26

import (
	"fmt"
	"log"
	"log/slog"
	"net/http"
)

// V1 renamed
func index(w http.ResponseWriter, req *http.Request) {
	log.Printf("%s %s", req.Method, req.URL.String())
	fmt.Fprint(w, "ok")
}

// V2 method
type app struct{ l *slog.Logger }

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.l.Info("req", "headers", r.Header, "u", r.URL.String())
}

// V3 closure
func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slog.Info("request", "url", r.URL.String())
		next.ServeHTTP(w, r)
	})
}

// V4 generic
func handle[T any](f func(*http.Request) T) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		log.Println("in", r.URL.String(), r.Header)
		fmt.Fprint(w, f(r))
	}
}

// V5 two functions
func note(r *http.Request)                        { slog.Info("request", "path", r.URL.String()) }
func page(w http.ResponseWriter, r *http.Request) { note(r); fmt.Fprint(w, "x") }
