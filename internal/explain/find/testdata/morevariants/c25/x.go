package c25

import (
	"log/slog"
	"net/http"
	"runtime/debug"
)

// V1 renamed
func onRequest(lg *slog.Logger) { lg.Debug("req", "trace", debug.Stack()) }

// V2 method
type svc struct{ log *slog.Logger }

func (s *svc) serve(id int) { s.log.Debug("serve", "id", id, "stack", string(debug.Stack())) }

// V3 closure
func mid(lg *slog.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		lg.Debug("handler", "stack", string(debug.Stack()))
	}
}

// V4 generic
func Logged[T any](lg *slog.Logger, v T) T {
	lg.Debug("value", "v", v, "stack", debug.Stack())
	return v
}

// V5 two functions
func where() string        { return string(debug.Stack()) }
func work(lg *slog.Logger) { lg.Debug("work", "where", where()) }
