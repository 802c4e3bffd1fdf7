package a

import (
	"log"
	"log/slog"
	"net/http"
	"net/http/httputil"
)

func handle(w http.ResponseWriter, r *http.Request) {
	slog.Info("request", "url", r.URL.String(), "headers", r.Header) // want `this line is logged for each request, and r.URL.String\(\) is written out for it, and handle is reached from an HTTP handler`
	w.WriteHeader(http.StatusOK)
}

type server struct {
	logger *slog.Logger
	access *slog.Logger
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.note(r)
	w.WriteHeader(http.StatusOK)
}

func (s *server) note(r *http.Request) {
	s.logger.Info("request", "headers", r.Header) // want `and r.Header is written out for it, and note is reached`
}

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		log.Printf("%s %s", r.Method, r.URL) // want `and r.URL is written out for it, and logged is reached`
		next.ServeHTTP(w, r)
	})
}

func generic[T any](v T, r *http.Request) {
	dump, _ := httputil.DumpRequest(r, false)
	slog.Info("request", "v", v, "uri", r.URL.RequestURI(), "dump", dump) // want `and generic is reached`
}

func typed(w http.ResponseWriter, r *http.Request) {
	generic(1, r)
}

func named(w http.ResponseWriter, r *http.Request) {
	url := r.URL.String()
	slog.Info("request", "url", url) // want `and r.URL.String\(\) is written out for it, and named is reached`
	w.WriteHeader(http.StatusOK)
}

// What follows is left alone.

func needed(w http.ResponseWriter, r *http.Request) {
	url := r.URL.String()
	slog.Info("request", "url", url)
	http.Redirect(w, r, url, http.StatusFound)
}

func debug(w http.ResponseWriter, r *http.Request) {
	slog.Debug("request", "url", r.URL.String()) // the rule logargs speaks of it
}

func short(w http.ResponseWriter, r *http.Request) {
	slog.Info("request", "method", r.Method, "path", r.URL.Path, "url", r.URL)
}

func failing(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		slog.Info("bad form", "url", r.URL.String(), "err", err)
	}
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	s.access.Info("request", "url", r.URL.String())
}

func audit(w http.ResponseWriter, r *http.Request) {
	log.Println(r.URL.String(), r.Header)
}

func sampled(w http.ResponseWriter, r *http.Request) {
	if n++; n%100 == 0 {
		slog.Info("request", "url", r.URL.String())
	}
}

var n int

func start(r *http.Request) {
	slog.Info("first request", "url", r.URL.String()) // no handler
}
