package c57

import (
	"log/slog"
	"net/http"
	"runtime"
)

// V1 method and two functions below a handler, missed
type API struct {
	log *slog.Logger
	mux *http.ServeMux
}

func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.trace(r)
	a.mux.ServeHTTP(w, r)
}

func (a *API) trace(r *http.Request) {
	a.log.Debug("serving", "path", r.URL.Path, "goroutines", goroutines())
}

func goroutines() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}
