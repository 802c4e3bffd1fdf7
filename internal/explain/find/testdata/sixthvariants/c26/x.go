package c26

import (
	"log"
	"log/slog"
	"net/http"
)

// V1 closure, other logger
func Counted(next http.Handler, seen *int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*seen++
		log.Printf("%s %s %v", r.Method, r.URL.String(), r.Header)
		next.ServeHTTP(w, r)
	})
}

// V2 two functions
type api struct {
	out   *slog.Logger
	calls int
}

func (a *api) note(r *http.Request) {
	a.out.Info("incoming", slog.String("uri", r.URL.RequestURI()), slog.Any("header", r.Header))
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.note(r)
	a.calls++
	_, _ = w.Write([]byte("fine"))
}
