package c57

import (
	"log/slog"
	"net/http"
	"runtime"
)

// V1 renamed, missed

const dumpLimit = 256 << 10

func withDiagnostics(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		dump := make([]byte, dumpLimit)
		written := runtime.Stack(dump, true)
		log.Debug("goroutines before request", "path", r.URL.Path, "dump", string(dump[:written]))
		next.ServeHTTP(w, r)
	})
}
