package c26

import (
	"log"
	"log/slog"
	"net/http"
	"net/http/httputil"
)

// V5 two functions, missed
func audit(r *http.Request) {
	raw, _ := httputil.DumpRequest(r, false)
	log.Printf("%s", raw)
}

func mux() {
	http.HandleFunc("/pay", func(w http.ResponseWriter, r *http.Request) {
		audit(r)
		w.WriteHeader(204)
	})
}

// V3 closure
func withLog(h http.Handler, l *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		l.InfoContext(req.Context(), "begin", slog.String("url", req.URL.String()), slog.Any("hdr", req.Header))
		h.ServeHTTP(w, req)
	})
}
